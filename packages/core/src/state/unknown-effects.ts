type UnknownEffect = {
  /** What bytes that a release of the program begins to use could decide. */
  readonly meaning: string;
  /**
   * Fields, without indexes, whose values choose between formulas. An account with an unknown one cannot be read, so the
   * figures that need it are refused. Everything else that is unknown marks the figures of the kind.
   */
  readonly decisive: readonly string[];
};

const effect = (meaning: string, ...decisive: readonly string[]): UnknownEffect => ({
  meaning,
  decisive,
});

/** What unknown bytes and values of each kind of program accounts could mean. */
export const unknownEffects = {
  market: effect('limits, permissions and terms of liquidations'),
  // a reserve with an unknown basis of interest can be read: only figures that accrue are refused
  reserve: effect('interest, fees, caps, prices and rewards'),
  obligation: effect('terms of deposits, debts and orders', 'elevationGroup'),
  withdrawTicket: effect('terms of a queued withdrawal'),
  vault: effect('fees, penalties, caps and rewards'),
  farm: effect(
    'rates, periods and locks of rewards',
    'timeUnit',
    'rewardInfos.rewardType',
    'lockingMode',
  ),
  farmsConfig: effect('fees of rewards'),
  farmUser: effect('terms of a stake'),
  prices: effect('further prices'),
};
