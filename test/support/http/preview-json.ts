/** JSON of the preview in a builder's response. */
export type PreviewJson = {
  readonly simulated: boolean;
  readonly reason: string | null;
  readonly success: boolean;
  readonly error: {
    readonly program: string | null;
    readonly programAddress: string | null;
    readonly code: number | null;
    readonly name: string;
    readonly message: string;
    readonly action: string;
    readonly figures: {
      readonly unit: string;
      readonly account: string | null;
      readonly mint: string | null;
      readonly symbol: string | null;
      readonly needed: string | null;
      readonly available: string | null;
      readonly missing: string | null;
      readonly limit: string | null;
      readonly until: string | null;
      readonly slot: string;
    } | null;
    readonly maxAmount: string | null;
    readonly suggestedAmount: string | null;
    readonly instructionIndex: number | null;
  } | null;
  readonly slot: string;
  readonly computeUnits: number | null;
  readonly feeLamports: string;
  readonly sizeBytes: number;
  readonly sizeLimit: number;
  readonly lookupTables: readonly string[];
  readonly expiry: { readonly blockhash: string; readonly lastValidBlockHeight: string };
  readonly solChangeLamports: string;
  readonly solChangeWithoutFeeLamports: string;
  readonly tokenChanges: readonly {
    readonly mint: string;
    readonly symbol: string | null;
    readonly decimals: number;
    readonly change: string;
    readonly uiChange: string;
  }[];
  readonly plan: {
    readonly summary: string;
    readonly steps: readonly { readonly name: string; readonly why: string }[];
    readonly creates: readonly { readonly what: string; readonly rentLamports: string }[];
    readonly closes: readonly { readonly what: string; readonly refundLamports: string }[];
    readonly rentLamports: string;
    readonly pays: readonly PlannedTransferJson[];
    readonly receives: readonly PlannedTransferJson[];
    readonly notes: readonly string[];
  };
  readonly loan: { readonly before: LoanJson | null; readonly after: LoanJson | null } | null;
};

type PlannedTransferJson = {
  readonly symbol: string | null;
  readonly uiAmount: string;
  readonly certainty: string;
};

type LoanJson = { readonly loanId: string; readonly loanInfo: { readonly currentLtv: number } };
