import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Loaded a little before it is in view. */
const MARGIN = '160px 0px';

/** Whether an element has been in view. For what needs not be loaded before. */
export function useSeen<Element extends HTMLElement>(): [RefObject<Element | null>, boolean] {
  const element = useRef<Element>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (element.current === null || isSeen) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
      },
      { rootMargin: MARGIN },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [isSeen]);
  return [element, isSeen];
}
