import { useState } from "preact/hooks";
import { access, enterToken } from "../api/access.ts";
import { Button } from "../parts/look/button.tsx";
import { Command } from "../parts/look/copy-button.tsx";
import { Icon } from "../parts/look/icon.tsx";
import { useTitle } from "../parts/page/title.tsx";

/** Shown instead of every page while the server does not know this tab. */
export function NoToken() {
  const isRefused = access.value === "refused";
  useTitle(isRefused ? "Wrong token" : "Open the link");
  return (
    <main class="gate" id="main">
      <Icon name="lock" size={28} />
      <h1>{isRefused ? "The server does not accept this token" : "This page needs its link"}</h1>
      <p>
        {isRefused
          ? "The link is from another server, or the token has changed since. Open the page again:"
          : "The link carries a token, so that only you can see your skills. Open the page with it:"}
      </p>
      <p>
        <Command text="knack open" />
      </p>
      <p class="quiet">
        opens it in your browser. <code>knack serve</code> also prints the link when it starts.
      </p>
      <EnterToken />
    </main>
  );
}

/** For those who use the server of a team. A password field, so that nobody reads it over a shoulder. */
function EnterToken() {
  const [text, setText] = useState("");
  return (
    <form
      class="gate-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "") enterToken(text.trim());
      }}
    >
      <label for="gate-token">Or enter the access token that you got from the owner of this server:</label>
      <span class="gate-row">
        <input
          id="gate-token"
          type="password"
          value={text}
          spellcheck={false}
          autoComplete="off"
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" disabled={text.trim() === ""}>
          Enter
        </Button>
      </span>
    </form>
  );
}
