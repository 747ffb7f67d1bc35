import { createContext, runInContext } from "node:vm";

/** Runs the page's script against a real server, with the parts of a browser that the script uses. */
export function runPage(script: string, origin: string, hash: string) {
  const asked: string[] = [];
  const elements = new Map<string, Element>();
  const location = { hash, pathname: "/" };
  let address = `/${hash}`;
  const stored = new Map<string, string>();
  const context = createContext({
    URLSearchParams,
    location,
    history: {
      replaceState: (_state: unknown, _title: string, to: string) => {
        address = to;
      },
    },
    sessionStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    },
    document: {
      getElementById: (id: string) => {
        const element = elements.get(id) ?? new Element();
        elements.set(id, element);
        return element;
      },
      createElement: () => new Element(),
    },
    fetch: (path: string, init: RequestInit) => {
      asked.push(path);
      return fetch(`${origin}${path}`, init);
    },
  });
  runInContext(script, context);
  return {
    asked,
    address: () => address,
    state: () => elements.get("state")?.text ?? "",
    items: () => (elements.get("skills")?.children ?? []).map((child) => textOf(child)),
  };
}

class Element {
  text = "";
  children: (Element | string)[] = [];

  set textContent(text: string) {
    this.text = text;
  }

  append(...more: (Element | string)[]): void {
    this.children.push(...more);
  }

  replaceChildren(...children: (Element | string)[]): void {
    this.children = children;
  }
}

function textOf(node: Element | string): string {
  return typeof node === "string" ? node : `${node.text}${node.children.map(textOf).join("")}`;
}
