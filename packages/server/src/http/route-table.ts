/** Which methods a path has, for 405 and preflights. Asked only when no route was found. */
export class RouteTable {
  readonly #methods = new Map<string, Set<string>>();

  add(pattern: string, methods: readonly string[]): void {
    const known = this.#methods.get(pattern) ?? new Set();
    for (const method of methods) known.add(method);
    this.#methods.set(pattern, known);
  }

  /** Empty when no pattern fits. A pattern with more fixed segments goes first, as in the router. */
  methodsOf(path: string): string[] {
    const segments = segmentsOf(path);
    const fitting = [...this.#methods].filter(([pattern]) => fits(segmentsOf(pattern), segments));
    const [best] = fitting.sort(([a], [b]) => a.split(':').length - b.split(':').length);
    return best === undefined ? [] : [...best[1], 'OPTIONS'];
  }
}

function fits(pattern: readonly string[], path: readonly string[]): boolean {
  if (pattern.length !== path.length) return false;
  return pattern.every((part, index) => part.startsWith(':') || part === path[index]);
}

function segmentsOf(path: string): string[] {
  return path
    .split('/')
    .filter((segment, index, all) => segment !== '' || (index > 0 && index < all.length - 1));
}
