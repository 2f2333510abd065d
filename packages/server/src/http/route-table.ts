/** Methods per path, for 405 and preflight responses. */
export class RouteTable {
  readonly #methods = new Map<string, Set<string>>();

  add(pattern: string, methods: readonly string[]): void {
    const known = this.#methods.get(pattern) ?? new Set();
    for (const method of methods) known.add(method);
    this.#methods.set(pattern, known);
  }

  /** Empty if no pattern matches. As in the router, static segments take precedence over parameters. */
  methodsOf(path: string): string[] {
    const segments = segmentsOf(path);
    const matching = [...this.#methods].filter(([pattern]) =>
      matches(segmentsOf(pattern), segments),
    );
    const [best] = matching.sort(([a], [b]) => a.split(':').length - b.split(':').length);
    return best === undefined ? [] : [...best[1], 'OPTIONS'];
  }
}

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  if (pattern.length !== path.length) return false;
  return pattern.every((part, index) => part.startsWith(':') || part === path[index]);
}

function segmentsOf(path: string): string[] {
  return path
    .split('/')
    .filter((segment, index, all) => segment !== '' || (index > 0 && index < all.length - 1));
}
