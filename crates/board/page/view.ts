// What the page knows of a view.

import type { Child } from "./dom";
import type { Layout } from "./layout";

/** A view: what it draws, and what it does with keys, moves and changes of the position. */
export interface Controller {
  draw(layout: Layout): readonly Child[];
  /** Whether the key was one of the view's. */ key(event: KeyboardEvent): boolean;
  /** A person plays an action. */ act?(action: string): void;
  /** The position that is shown has changed, or the view has been opened. */ follow?(): void;
  enter?(): void; leave?(): void;
  /** Pixels that the view takes of the table's room, in width beside it or in height. */ readonly beside?: number;
  readonly above?: number;
  /** What stands there is a card that is read with the table: both fit into the window. */ readonly isCard?: boolean;
}
