/** Why a transaction is not accepted. Codes are public: new ones are added, none is renamed. */
export const REASON_CODES = {
  INVALID_REQUEST: 'The request itself is not valid.',
  INVALID_CHAIN_DATA:
    'The chain data, or the contents of a lookup table, do not have the expected fields.',
  MISSING_CHAIN_DATA: 'A value that only the chain has is needed and was not given.',
  MALFORMED_TRANSACTION: 'The bytes are not a transaction in its only valid form.',
  UNSUPPORTED_VERSION: 'The message has a version that the verifier does not know.',
  WRONG_FEE_PAYER: 'Another account than the wallet pays the fee.',
  EXTRA_SIGNER: 'An account besides the wallet signs.',
  DURABLE_NONCE: 'The transaction uses a durable nonce, so it never expires.',
  MISSING_LOOKUP_TABLE: 'The contents of a lookup table are not known.',
  INVALID_LOOKUP: 'A lookup names an entry that the table does not have.',
  REPEATED_ACCOUNT: 'The message names an account twice.',
  UNUSED_ACCOUNT: 'The message names an account that no instruction uses.',
  WRONG_ROLE: 'An account is writable or signs although no instruction needs it, or the reverse.',
  UNKNOWN_PROGRAM: 'A program is called that the request does not need.',
  UNEXPECTED_INSTRUCTION: 'An instruction is not part of what was requested.',
  HIDDEN_TRANSFER: 'Tokens or SOL are moved that the request does not name.',
  TOKEN_APPROVAL: 'Another account gets access to tokens of the wallet.',
  AUTHORITY_CHANGE: 'The owner or authority of an account changes.',
  MISSING_INSTRUCTION: 'An instruction that the request needs is missing.',
  REPEATED_INSTRUCTION: 'An instruction occurs more often than the request needs.',
  WRONG_ORDER: 'The instructions are not in their order.',
  INVALID_INSTRUCTION_DATA:
    'The data of an instruction cannot be decoded, or has an argument that is not allowed.',
  WRONG_ACCOUNT_COUNT: 'An instruction has too few or too many accounts.',
  WRONG_WALLET: 'An account of another wallet is in the place of the wallet.',
  WRONG_TOKEN_ACCOUNT:
    'Tokens are taken from or paid to an account that is not the one of the wallet.',
  WRONG_MARKET: 'Another market is used.',
  WRONG_RESERVE: 'Another reserve is used.',
  WRONG_LOAN: 'Another loan is used.',
  WRONG_VAULT: 'Another vault is used.',
  WRONG_FARM: 'Another farm, or the stake of someone else, is used.',
  WRONG_REFERRER: 'A referrer is named that the loan does not have.',
  WRONG_ACCOUNT: 'An account is not the one that belongs there.',
  WRONG_SWAP: 'The instructions of the swap are not the given ones.',
  WRONG_AMOUNT: 'An amount is not the requested one.',
  UNREPAID_DEBT:
    'Collateral is withdrawn while debts remain, and the request states no maximum loan-to-value ratio.',
  LTV_TOO_HIGH: 'The loan-to-value ratio would be above the limit of the request.',
  WRONG_COMPUTE_BUDGET: 'The compute unit limit or price is not the requested one.',
  PRIORITY_FEE_TOO_HIGH: 'The priority fee is above the limit.',
} as const;

export type ReasonCode = keyof typeof REASON_CODES;

export type Reason = {
  readonly code: ReasonCode;
  readonly message: string;
  /** Index of the instruction; absent if the reason concerns the whole transaction. */
  readonly instruction?: number;
};
