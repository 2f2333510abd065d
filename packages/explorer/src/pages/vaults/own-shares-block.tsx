import { Block } from '../../components/block.tsx';
import { Amount, Usd } from '../../components/number.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Stat, Stats } from '../../components/stat.tsx';
import { useBalances, useOwnAddress, useOwnPortfolio } from '../../positions/own-portfolio.ts';
import { sharesIn } from '../../positions/own-positions.ts';
import { balanceOf } from '../../positions/token-balance.ts';

type OwnSharesProps = {
  readonly vault: string;
  /** Mint of the vault’s token; undefined if the vault cannot be read. */
  readonly mint: string | undefined;
  readonly symbol: string;
};

const STATS_HEIGHT = 76;

/** What the connected wallet has of the vault, and what it could deposit; nothing without one. */
export function OwnSharesBlock({ vault, mint, symbol }: OwnSharesProps) {
  const address = useOwnAddress();
  const portfolio = useOwnPortfolio();
  const balances = useBalances(address, mint);
  if (address === undefined || mint === undefined) return null;
  return (
    <Block
      title="My shares"
      resources={[portfolio, balances]}
      skeleton={<Skeleton height={STATS_HEIGHT} />}
    >
      {(data, held) => {
        const position = sharesIn(data, vault);
        return (
          <Stats>
            <Stat label="Shares" hint="Held and staked">
              <Amount value={position?.shares ?? '0'} />
            </Stat>
            <Stat label="Worth" hint="What the shares are worth, in tokens of the vault">
              <Amount value={position?.amount ?? '0'} unit={symbol} />
            </Stat>
            <Stat label="Value">
              <Usd
                value={position === undefined ? '0' : position.netValue}
                reason="the price is not known"
              />
            </Stat>
            <Stat label="In the wallet" hint="Tokens that could be deposited">
              <Amount value={balanceOf(held, mint)?.amount} unit={symbol} />
            </Stat>
          </Stats>
        );
      }}
    </Block>
  );
}
