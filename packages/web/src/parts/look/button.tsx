import type { ButtonHTMLAttributes, ComponentChildren } from "preact";
import { type Role, whyNot } from "../../api/me.ts";
import "./button.css";
import { Icon, type IconName } from "./icon.tsx";

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "icon" | "type"> {
  readonly icon?: IconName;
  readonly look?: "plain" | "main" | "danger" | "quiet";
  readonly small?: boolean;
  readonly children?: ComponentChildren;
  readonly type?: "button" | "submit";
  /** The role that its action needs: without it the button says why it does nothing. */
  readonly needs?: Role;
}

/** A button whose word is a verb. Without children, `aria-label` must name it. */
export function Button({
  icon,
  look = "plain",
  small,
  children,
  type = "button",
  class: more,
  needs,
  ...rest
}: Props) {
  const name = rest["aria-label"];
  const why = needs && whyNot(needs);
  return (
    <button
      type={type}
      class={`button button-${look} ${small ? "button-small" : ""} ${children ? "" : "button-icon"} ${more ?? ""}`}
      {...(!children && name && !rest.title ? { title: name } : {})}
      {...rest}
      {...(why ? { "aria-disabled": true, title: why, onClick: refuse } : {})}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** Not `disabled`, so that the keyboard reaches it and its reason is read. */
function refuse(event: Event): void {
  event.preventDefault();
}

/** A link that looks like a button, for what has an address. */
export function LinkButton({
  href,
  icon,
  look = "plain",
  children,
}: Pick<Props, "icon" | "look" | "children"> & { readonly href: string }) {
  return (
    <a class={`button button-${look}`} href={href}>
      {icon && <Icon name={icon} />}
      {children}
    </a>
  );
}
