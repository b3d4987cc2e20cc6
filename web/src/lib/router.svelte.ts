/** A place of the page: `#/former?date=2025-05-18`. */
export interface Route {
  page: string;
  params: URLSearchParams;
}

function read(): Route {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?', 2);
  return { page: decoded(path), params: new URLSearchParams(query) };
}

/** The text of an escaped path; a path that is no such thing stands for itself, a page there is not. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

class Router {
  route = $state.raw<Route>(read());

  constructor() {
    addEventListener('hashchange', () => (this.route = read()));
  }

  /** The address of a page. */
  static href(page: string, params: Record<string, string> = {}): string {
    const query = new URLSearchParams(params).toString();
    return `#/${encodeURIComponent(page)}${query ? `?${query}` : ''}`;
  }

  /** Writes where we are without going anywhere: reloading comes back here. */
  note(page: string, params: Record<string, string>): void {
    history.replaceState(null, '', Router.href(page, params));
  }

  go(page: string, params: Record<string, string> = {}): void {
    location.hash = Router.href(page, params);
  }
}

export const router = new Router();
export const href = Router.href;
