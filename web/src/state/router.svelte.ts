/** Which page is shown. Addresses: `/`, `/history`, and `/t/`, `/replay/`, `/big/<table>`, `/how/<game>`. */

export type Route =
  | { page: 'home' }
  | { page: 'table' | 'replay' | 'big'; table: string }
  | { page: 'how'; game: string }
  | { page: 'history' }
  | { page: 'lost' };

export function routeOf(path: string): Route {
  const [first = '', second = '', ...rest] = path.split('/').slice(1);
  if (first === '' && second === '') return { page: 'home' };
  if (path === '/history') return { page: 'history' };
  if (rest.length > 0 || second === '') return { page: 'lost' };
  if (first === 't') return { page: 'table', table: decodeURIComponent(second) };
  if (first === 'replay' || first === 'big') return { page: first, table: decodeURIComponent(second) };
  if (first === 'how') return { page: 'how', game: decodeURIComponent(second) };
  return { page: 'lost' };
}

class Router {
  route = $state<Route>({ page: 'home' });

  start(): void {
    const read = () => (this.route = routeOf(location.pathname));
    addEventListener('popstate', read);
    document.addEventListener('click', (event) => this.#follow(event));
    read();
  }

  go(path: string): void {
    history.pushState(null, '', path);
    this.route = routeOf(location.pathname);
    scrollTo(0, 0);
  }

  /** Links within the house change the page without loading it again. */
  #follow(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || link.origin !== location.origin || link.target || link.hasAttribute('download')) return;
    if (link.pathname.startsWith('/api/') || link.hash !== '') return;
    event.preventDefault();
    this.go(link.pathname + link.search);
  }
}

export const router = new Router();
