import { useState } from 'preact/hooks';
import { useTokenImage } from './token-images.ts';
import './token-icon.css';

type TokenIconProps = { readonly mint: string; readonly symbol: string };

const LETTERS = 2;

/** The image of a token, or letters of its symbol. The symbol stands beside it. */
export function TokenIcon({ mint, symbol }: TokenIconProps) {
  const image = useTokenImage(mint);
  const [failed, setFailed] = useState<string>();
  return (
    <span class="token-icon" aria-hidden="true">
      {image !== undefined && image !== failed ? (
        <img
          src={image}
          alt=""
          width={20}
          height={20}
          loading="lazy"
          decoding="async"
          referrerpolicy="no-referrer"
          onError={() => setFailed(image)}
        />
      ) : (
        symbol.slice(0, LETTERS)
      )}
    </span>
  );
}
