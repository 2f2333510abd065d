/** A browser opens six connections to a server with HTTP/1.1, over all of its tabs; requests need some of them. */
const MAX_OVER_HTTP1 = 2;
const MAX_MULTIPLEXED = 16;

let open = 0;

/** Undefined if the page has as many streams as it may. Call what is returned when the stream has ended. */
export function reserveStream(): (() => void) | undefined {
  if (open >= (isMultiplexed() ? MAX_MULTIPLEXED : MAX_OVER_HTTP1)) return undefined;
  open += 1;
  let isReleased = false;
  return () => {
    if (!isReleased) open -= 1;
    isReleased = true;
  };
}

function isMultiplexed(): boolean {
  const [page] = performance.getEntriesByType('navigation');
  const protocol = page instanceof PerformanceNavigationTiming ? page.nextHopProtocol : '';
  return protocol === 'h2' || protocol === 'h3';
}
