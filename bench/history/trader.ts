import { createHash } from 'node:crypto';
import type { Address } from '#core/base/encoding/address.ts';
import type { UnixSeconds } from '#core/base/time.ts';
import { sampleTokensPerShare } from '#core/views/series/vault-share-sample.ts';
import { vaultEventKinds } from '#server/history/event-kinds.ts';
import type { EventInput } from '#server/history/schema/event-tables.ts';
import type { SeriesPoint } from '#server/history/schema/series-tables.ts';
import type { Batch } from '#server/history/writing/batch.ts';
import { numberedAddress } from '../../test/support/protocol/codecs.ts';

type VaultPoint = Extract<SeriesPoint, { readonly kind: 'vault' }>;

type TraderPlan = {
  readonly vault: Address;
  readonly events: number;
  readonly from: UnixSeconds;
  readonly to: UnixSeconds;
};

const DEPOSIT = vaultEventKinds.indexOf('deposit');
const WITHDRAW = vaultEventKinds.indexOf('withdraw');
/** After the real events of the slot. */
const FIRST_PLACE = 100_000;

/** A wallet that trades shares of one vault all the time, at the price of each sample. */
export class Trader {
  readonly wallet = numberedAddress(77_000_001);
  readonly #plan: TraderPlan;
  #done = 0;
  #held = 0n;

  constructor(plan: TraderPlan) {
    this.#plan = plan;
  }

  /** Its events up to the last sample of a batch. */
  eventsOf({ points = [] }: Batch): Batch {
    const vaultEvents: EventInput<'vaultEvent'>[] = [];
    const vaultHoldings = points.filter(isVaultPoint).flatMap((point) => {
      if (point.subject !== this.#plan.vault || point.sharesIssued === 0n) return [];
      const events = this.#eventsUpTo(point);
      vaultEvents.push(...events);
      const { subject: vault, slot, at } = point;
      const held = { wallet: this.wallet, vault, slot, at, held: this.#held, staked: 0n };
      return events.length === 0 ? [] : [held];
    });
    return { vaultEvents, vaultHoldings };
  }

  #eventsUpTo(point: VaultPoint): EventInput<'vaultEvent'>[] {
    const { from, to, events } = this.#plan;
    const passed = Number(point.at - from) / Number(to - from);
    const due = Math.min(events, Math.ceil(passed * events));
    const trades: EventInput<'vaultEvent'>[] = [];
    for (; this.#done < due; this.#done += 1) trades.push(this.#trade(point, this.#done));
    return trades;
  }

  /** Two purchases, then a sale of less than one of them. */
  #trade(point: VaultPoint, number: number): EventInput<'vaultEvent'> {
    const isSale = number % 3 === 2;
    const shares = BigInt(isSale ? 500_000 + number : 1_000_000 + 7 * number);
    this.#held += isSale ? -shares : shares;
    const { subject: vault, slot, at, priceSf, solPriceSf } = point;
    const tokensPerShare = sampleTokensPerShare(point);
    return {
      signature: createHash('sha512').update(`trade ${number}`).digest(),
      eventIndex: 0,
      path: Uint8Array.of(0),
      slot,
      at,
      transactionIndex: FIRST_PLACE + number,
      kind: isSale ? WITHDRAW : DEPOSIT,
      wallet: this.wallet,
      vault,
      reserve: null,
      tokenAmount: (shares * tokensPerShare.numerator) / tokensPerShare.denominator,
      sharesAmount: shares,
      collateralAmount: null,
      crankAmount: null,
      roundingLossAmount: null,
      otherWallet: null,
      priceSf,
      solPriceSf,
      tokensPerShare,
    };
  }
}

const isVaultPoint = (point: SeriesPoint): point is VaultPoint => point.kind === 'vault';
