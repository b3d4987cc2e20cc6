/** Fingers shorter than this tap. */
const SHORTEST = 24;

/** Tells of swipes over an element as `up`, `right`, `down`, `left`. */
export function swipe(node: HTMLElement, hear: (direction: string) => void) {
  let begin: [number, number] | null = null;
  let tell = hear;

  function down(event: PointerEvent): void {
    begin = event.pointerType === 'mouse' ? null : [event.clientX, event.clientY];
  }

  function up(event: PointerEvent): void {
    if (!begin) return;
    const [dx, dy] = [event.clientX - begin[0], event.clientY - begin[1]];
    begin = null;
    if (Math.max(Math.abs(dx), Math.abs(dy)) < SHORTEST) return;
    if (Math.abs(dx) > Math.abs(dy)) tell(dx > 0 ? 'right' : 'left');
    else tell(dy > 0 ? 'down' : 'up');
  }

  node.addEventListener('pointerdown', down);
  node.addEventListener('pointerup', up);
  return {
    update: (next: (direction: string) => void) => (tell = next),
    destroy() {
      node.removeEventListener('pointerdown', down);
      node.removeEventListener('pointerup', up);
    },
  };
}
