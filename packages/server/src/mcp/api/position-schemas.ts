import { type Static, Type } from 'typebox';

/** The fields of portfolios and transactions that the tools use. */

const NullableText = Type.Union([Type.String(), Type.Null()]);

const PositionToken = Type.Object({
  symbol: Type.String(),
  amount: Type.String(),
  value: NullableText,
});

const LoanPosition = Type.Object({
  obligation: Type.String(),
  market: Type.String(),
  tag: Type.String(),
  netValue: NullableText,
  totalDepositValue: NullableText,
  totalBorrowValue: NullableText,
  ltv: NullableText,
  maxLtv: NullableText,
  liquidationLtv: NullableText,
  deposits: Type.Array(PositionToken),
  borrows: Type.Array(PositionToken),
});
export type LoanPositionRow = Static<typeof LoanPosition>;

const VaultPosition = Type.Object({
  vault: Type.String(),
  symbol: Type.String(),
  name: Type.String(),
  netValue: NullableText,
  shares: Type.String(),
  amount: Type.String(),
});

const SectionState = Type.Object({
  indexed: Type.Boolean(),
  errors: Type.Optional(Type.Array(Type.Object({ code: Type.String() }))),
});

export const WalletPortfolio = Type.Object({
  sections: Type.Record(Type.String(), SectionState),
  lending: Type.Array(LoanPosition),
  multiply: Type.Array(LoanPosition),
  leverage: Type.Array(LoanPosition),
  earn: Type.Array(VaultPosition),
  privateCredit: Type.Array(VaultPosition),
  staking: Type.Array(PositionToken),
  ctokens: Type.Optional(Type.Array(PositionToken)),
});
export type WalletPositionRows = Static<typeof WalletPortfolio>;

export const ClaimableRewards = Type.Object({
  farms: Type.Array(
    Type.Object({
      farm: Type.String(),
      positionType: Type.String(),
      rewards: Type.Array(Type.Object({ mint: Type.String(), amount: Type.String() })),
    }),
  ),
});

export const DecodedWire = Type.Object({
  feePayer: Type.String(),
  signers: Type.Array(Type.Object({ address: Type.String(), signed: Type.Boolean() })),
  size: Type.Integer(),
  fee: Type.Object({ baseLamports: Type.String(), priorityLamports: Type.String() }),
  lookupTables: Type.Array(Type.Object({ address: Type.String() })),
  instructions: Type.Array(
    Type.Object({
      program: Type.Object({ address: Type.String(), name: NullableText }),
      name: NullableText,
      title: Type.String(),
      problem: NullableText,
    }),
  ),
  warnings: Type.Array(Type.Object({ code: Type.String(), message: Type.String() })),
});

const Move = Type.Object({
  symbol: NullableText,
  uiAmount: Type.String(),
  certainty: Type.String(),
});

const LoanState = Type.Object({
  loanId: Type.String(),
  loanInfo: Type.Object({
    currentLtv: Type.Number(),
    maxLtv: Type.Number(),
    liquidationLtv: Type.Number(),
  }),
});

const FailureDetails = Type.Object({
  program: NullableText,
  name: Type.String(),
  message: Type.String(),
  action: Type.String(),
  maxAmount: NullableText,
  suggestedAmount: NullableText,
});

const BuildPreview = Type.Object({
  simulated: Type.Boolean(),
  reason: NullableText,
  success: Type.Boolean(),
  error: Type.Union([FailureDetails, Type.Null()]),
  slot: Type.String(),
  feeLamports: Type.String(),
  sizeBytes: Type.Integer(),
  lookupTables: Type.Array(Type.String()),
  expiry: Type.Object({ blockhash: Type.String(), lastValidBlockHeight: Type.String() }),
  solChangeLamports: Type.String(),
  tokenChanges: Type.Array(
    Type.Object({ mint: Type.String(), symbol: NullableText, uiChange: Type.String() }),
  ),
  plan: Type.Object({
    summary: Type.String(),
    steps: Type.Array(
      Type.Object({ program: Type.String(), name: Type.String(), why: Type.String() }),
    ),
    creates: Type.Array(
      Type.Object({ address: Type.String(), what: Type.String(), rentLamports: Type.String() }),
    ),
    rentLamports: Type.String(),
    pays: Type.Array(Move),
    receives: Type.Array(Move),
    notes: Type.Array(Type.String()),
  }),
  loan: Type.Union([
    Type.Object({
      before: Type.Union([LoanState, Type.Null()]),
      after: Type.Union([LoanState, Type.Null()]),
    }),
    Type.Null(),
  ]),
});
export type BuildPreviewRow = Static<typeof BuildPreview>;

export const PreviewedBuild = Type.Object({ transaction: Type.String(), preview: BuildPreview });

export const TableContents = Type.Object({
  lutsByAddress: Type.Record(Type.String(), Type.Array(Type.String())),
});
