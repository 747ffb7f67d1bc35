export const PYTHON_LOADER = `
import importlib, importlib.util, inspect, json, math, os, struct, sys, threading, traceback

def read_exactly(count):
    data = b""
    while len(data) < count:
        part = os.read(3, count - len(data))
        if not part:
            os._exit(1)
        data += part
    return data

request = json.loads(read_exactly(struct.unpack(">I", read_exactly(4))[0]))

# Nothing but placeholders for what this process must not have.
for descriptor in request["close"]:
    os.close(descriptor)

def watch_host():
    # The host closes its end of the channel when it cancels the run or exits.
    os.read(3, 1)
    os._exit(1)

def send(kind, payload=b""):
    sys.stdout.flush()
    sys.stderr.flush()
    data = (request["nonce"] + kind).encode("ascii") + struct.pack(">I", len(payload)) + payload
    while data:
        data = data[os.write(3, data):]

def finish(kind, text):
    send(kind, text.encode("utf-8", "backslashreplace"))
    os._exit(0)

def explain(error):
    traceback.print_exception(type(error), error, error.__traceback__)
    if isinstance(error, SystemExit):
        return "it called sys.exit(%r)" % (error.code,)
    return ("%s: %s" % (type(error).__name__, error))[:2000]

def check(value, path, depth):
    def refuse(what):
        raise TypeError("%s cannot be returned as JSON: it is %s" % (path or "the result", what))
    if depth > 200:
        refuse("nested more than 200 deep, or part of itself")
    if value is None or isinstance(value, (bool, str)):
        return
    if isinstance(value, int):
        if abs(value) > 2 ** 53 - 1:
            refuse("an integer beyond 2^53, which readers may round; return it as a string")
    elif isinstance(value, float):
        if not math.isfinite(value):
            refuse(repr(value))
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            check(item, "%s[%d]" % (path, index), depth + 1)
    elif isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                refuse("a dict with a key that is not a string: %r" % (key,))
            check(item, "%s.%s" % (path, key) if path else key, depth + 1)
    else:
        refuse("an object of class " + type(value).__name__)

def name_of(file, root):
    parts = os.path.splitext(os.path.relpath(file, root))[0].split(os.sep)
    package = ".".join(parts[:-1])
    if not package or not all(part.isidentifier() for part in parts):
        return "knack_skill"
    parent = importlib.import_module(package)
    folders = [os.path.realpath(folder) for folder in parent.__path__]
    return ".".join(parts) if os.path.dirname(file) in folders else "knack_skill"

def load():
    file, root, function = request["file"], request["projectRoot"], request["functionName"]
    # After the standard library, whose modules import each other: a file of the project must not take the place of one.
    site = [index for index, folder in enumerate(sys.path) if os.path.basename(folder) in ("site-packages", "dist-packages")]
    place = site[0] if site else len(sys.path)
    sys.path[place:place] = [root, os.path.dirname(file)]
    spec = importlib.util.spec_from_file_location(name_of(file, root), file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    found = getattr(module, function, None)
    if callable(found):
        return found
    raise AttributeError("it has no function " + function)

def log(message):
    print(message, file=sys.stderr, flush=True)

threading.Thread(target=watch_host, daemon=True).start()
send("B")
try:
    run = load()
except BaseException as error:
    finish("T", "could not be loaded: " + explain(error))
send("L")
try:
    value = run({**request["context"], "log": log})
    if inspect.iscoroutine(value):
        import asyncio
        value = asyncio.run(value)
except BaseException as error:
    finish("T", "failed: " + explain(error))
try:
    check(value, "", 0)
    text = json.dumps(value, allow_nan=False)
except BaseException as error:
    finish("U", str(error) if isinstance(error, TypeError) else explain(error))
if len(text) > request["maxResultBytes"]:
    finish("U", "the result has more than %d bytes" % request["maxResultBytes"])
finish("R", text)
`;
