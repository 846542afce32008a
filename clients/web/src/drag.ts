/** Dragging by mouse, pen or finger. */

import { useRef } from "preact/hooks";

/** How far a pointer moves before a press is a drag. */
const THRESHOLD = 6;

interface Held {
  readonly element: HTMLElement;
  readonly x: number;
  readonly y: number;
  dragged: boolean;
}

/**
 * Lets every `[data-index]` within an element be dragged; `drop` is told where each lands.
 *
 * The handlers belong on that element.
 */
export function useDrag(drop: (index: number, target: Element | null) => void) {
  const held = useRef<Held | undefined>(undefined);
  const dragged = useRef(false);
  const end = (event: PointerEvent, lands: boolean) => {
    const { current } = held;
    held.current = undefined;
    if (!current?.dragged) {
      return;
    }
    const target = document.elementFromPoint(event.clientX, event.clientY);
    mark(null);
    current.element.classList.remove("dragged");
    current.element.style.translate = "";
    if (lands) {
      drop(Number(current.element.dataset["index"]), target);
    }
  };
  return {
    onPointerDown(event: PointerEvent) {
      const element = (event.target as Element).closest<HTMLElement>("[data-index]");
      dragged.current = false;
      if (element && event.button === 0 && event.isPrimary) {
        held.current = { element, x: event.clientX, y: event.clientY, dragged: false };
      }
    },
    onPointerMove(event: PointerEvent) {
      const { current } = held;
      if (!current || !event.isPrimary) {
        return;
      }
      const [x, y] = [event.clientX - current.x, event.clientY - current.y];
      if (!current.dragged && Math.hypot(x, y) < THRESHOLD) {
        return;
      }
      if (!current.dragged) {
        current.dragged = true;
        dragged.current = true;
        current.element.setPointerCapture(event.pointerId);
        current.element.classList.add("dragged");
      }
      current.element.style.translate = `${x}px ${y}px`;
      mark(document.elementFromPoint(event.clientX, event.clientY));
    },
    onPointerUp: (event: PointerEvent) => end(event, true),
    onPointerCancel: (event: PointerEvent) => end(event, false),
    /** The click that ends a drag is none. */
    onClickCapture(event: Event) {
      if (dragged.current) {
        event.stopPropagation();
        dragged.current = false;
      }
    },
  };
}

/** Shows where the card would land. */
function mark(target: Element | null): void {
  for (const marked of document.querySelectorAll(".target")) {
    marked.classList.remove("target");
  }
  target?.closest("[data-zone]")?.classList.add("target");
}
