/** Whether the server is out of reach; the page says so while it is. */
export const connection = $state({ lost: false });

/** Milliseconds between attempts to reach it again; the last stays. */
const WAITS = [250, 500, 1000, 2000, 4000];

/** Waits before another attempt; throws when nobody wants it any more. */
export function backOff(attempt: number, signal?: AbortSignal): Promise<void> {
  connection.lost = true;
  return new Promise((wake, fail) => {
    const timer = setTimeout(wake, WAITS[Math.min(attempt, WAITS.length - 1)]);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      fail(signal.reason);
    });
  });
}
