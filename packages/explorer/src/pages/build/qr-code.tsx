import { useEffect, useState } from 'preact/hooks';
import { Skeleton } from '../../components/skeleton.tsx';

type QrCodeProps = { readonly text: string; readonly label: string };

const SIZE = 320;

/** A QR code. The encoder is loaded when the first one is shown. */
export function QrCode({ text, label }: QrCodeProps) {
  const [modules, setModules] = useState<readonly (readonly boolean[])[]>();
  useEffect(() => {
    let isCurrent = true;
    void import('uqr').then(({ encode }) => {
      if (isCurrent) setModules(encode(text, { ecc: 'L', border: 2 }).data);
    });
    return () => {
      isCurrent = false;
    };
  }, [text]);
  if (modules === undefined) return <Skeleton height={SIZE} />;
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
