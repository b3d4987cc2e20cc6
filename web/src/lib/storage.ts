// What the browser keeps, as JSON. A browser that keeps nothing still plays.

/** What is kept under a key, or `none`. */
export function read<T>(key: string, none: T): T {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') ?? none;
  } catch {
    return none;
  }
}

/** Keeps a value; `false` when there is no room for it. */
export function write(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** Changes what is kept: read and written in one go, so that no tab undoes what another has kept. */
export function update<T>(key: string, none: T, change: (kept: T) => T): void {
  write(key, change(read(key, none)));
}

/** All keys that begin with a prefix. */
export function keys(prefix: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}

export function remove(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}
