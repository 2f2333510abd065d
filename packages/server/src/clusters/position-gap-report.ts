/** Positions whose recorded events do not explain their states. JSON, so that it passes between processes. */
export type PositionGapReport = {
  /** The slot up to which all positions are compared; null before the first comparison. */
  readonly checkedSlot: string | null;
  /** Since the start. */
  readonly found: number;
  readonly closed: number;
  /** Open gaps by kind of position. */
  readonly open: { readonly loan: number; readonly shares: number; readonly stake: number };
  /** The oldest ones. */
  readonly oldest: readonly {
    readonly kind: 'loan' | 'shares' | 'stake';
    /** The address of the loan or stake, or those of wallet and vault. */
    readonly position: string;
    readonly wallet: string;
    /** Newest slot that events explain. */
    readonly slot: string;
    /** Its time in seconds. */
    readonly since: string;
    /** Epoch milliseconds. */
    readonly foundAt: number;
    readonly difference: string;
  }[];
};

/** `report`: undefined while nothing is compared. */
export type PositionGapReader = { report(): PositionGapReport | undefined };
