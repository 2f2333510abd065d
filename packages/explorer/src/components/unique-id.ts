import { useMemo } from 'preact/hooks';

let count = 0;

/** An id that nothing else of the document has: `useId` counts anew in each root, and the frame has one of its own. */
export const useUniqueId = (): string =>
  useMemo(() => {
    count += 1;
    return `id-${count}`;
  }, []);
