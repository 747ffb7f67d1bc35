import { useEffect, useState } from "preact/hooks";

/** Whether a file is dragged over the page. One that is dropped beside its place must not replace the page. */
export function useFileDrag(): boolean {
  const [isDragging, setDragging] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setDragging(true);
    };
    const end = (event: DragEvent): void => {
      event.preventDefault();
      setDragging(false);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setDragging(false);
    };
    addEventListener("dragover", over);
    addEventListener("drop", end);
    addEventListener("dragleave", leave);
    return () => {
      removeEventListener("dragover", over);
      removeEventListener("drop", end);
      removeEventListener("dragleave", leave);
    };
  }, []);
  return isDragging;
}
