import type { ButtonHTMLAttributes, ComponentChildren } from "preact";
import "./button.css";
import { Icon, type IconName } from "./icon.tsx";

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "icon" | "type"> {
  readonly icon?: IconName;
  readonly look?: "plain" | "main" | "danger" | "quiet";
  readonly small?: boolean;
  readonly children?: ComponentChildren;
  readonly type?: "button" | "submit";
}

/** A button whose word is a verb. Without children, `aria-label` must name it. */
export function Button({
  icon,
  look = "plain",
  small,
  children,
  type = "button",
  class: more,
  ...rest
}: Props) {
  const name = rest["aria-label"];
  return (
    <button
      type={type}
      class={`button button-${look} ${small ? "button-small" : ""} ${children ? "" : "button-icon"} ${more ?? ""}`}
      {...(!children && name && !rest.title ? { title: name } : {})}
      {...rest}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
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
