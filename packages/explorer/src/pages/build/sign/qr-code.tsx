import { useMemo } from 'preact/hooks';
import { encode } from 'uqr';

type QrCodeProps = { readonly text: string; readonly label: string };

export function QrCode({ text, label }: QrCodeProps) {
  const modules = useMemo(() => encode(text, { ecc: 'L', border: 2 }).data, [text]);
  return (
    <svg
      class="qr-code"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${modules.length} ${modules.length}`}
    >
      <path d={pathOf(modules)} />
    </svg>
  );
}

/** One square for each dark module. */
const pathOf = (modules: readonly (readonly boolean[])[]): string =>
  modules
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
