/**
 * What somebody may run into who sends what a builder made of an honest wish: reasons of the programs, each of which
 * depends on amounts, limits, prices and what others do. Anything else is a defect of a builder or of a program.
 */
export const expectedFailures: ReadonlyMap<string, string> = new Map([
  ['system 1', 'the wallet has too little SOL'],
  ['token 1', 'the wallet has too few tokens'],
  ['token2022 1', 'the wallet has too few tokens'],
  ['klend 3012', 'the wallet has no account for the token that it pays with'],
  ['klend 6003', 'the amount is so small that it counts for nothing'],
  ['klend 6008', 'the reserve has lent out too much'],
  ['klend 6009', 'the price of the reserve is too old'],
  ['klend 6010', 'what may be withdrawn is less than one cToken'],
  ['klend 6011', 'the rest would not back the debt'],
  ['klend 6012', 'the fee takes all of the loan'],
  ['klend 6013', 'the deposits do not back the loan'],
  ['klend 6014', 'the amount is too small to repay anything'],
  ['klend 6017', 'the price of another reserve of the loan is too old'],
  ['klend 6018', 'all places of the loan are taken'],
  ['klend 6020', 'nothing is deposited that could back a loan'],
  ['klend 6022', 'what is deposited is worth nothing'],
  ['klend 6064', 'the cap of the reserve for a day is reached'],
  ['klend 6068', 'the reserve is not of the group of the loan'],
  ['klend 6071', 'the loan is too large for the group'],
  ['klend 6082', 'the reserve is wound up'],
  ['klend 6083', 'the loan is in that group already'],
  ['klend 6084', 'the loan has a deposit in a reserve that is wound up'],
  ['klend 6089', 'the borrow limit of the reserve is reached'],
  ['klend 6090', 'the deposit limit of the reserve is reached'],
  ['klend 6092', 'what would be left is too small'],
  ['klend 6093', 'the loan would become worse'],
  ['klend 6104', 'the group has another debt'],
  ['klend 6105', 'the debt of the group is deposited too'],
  ['klend 6106', 'more deposits than the group takes'],
  ['klend 6116', 'the debt allows no withdrawal at all'],
  ['klend 6119', 'the loan would become worse than where it is liquidated'],
  ['kvault 3012', 'the wallet has no account for the token that it pays with'],
  ['kvault 7004', 'the shares are worth less than the least withdrawal'],
  ['kvault 7013', 'there is too little to move'],
  ['kvault 7026', 'the deposit is below the least one'],
  ['kvault 7038', 'the deposit is worth no share'],
  ['kvault 7045', 'it has just been moved'],
  ['kvault 7049', 'the shares are worth less than the penalty'],
  ['kvault 7050', 'the shares are worth nothing'],
  ['kvault Program failed to complete', 'the deposit is below what investing it costs'],
  ['InsufficientFundsForRent', 'too little SOL would be left in the wallet'],
  ['InsufficientFundsForFee', 'the wallet cannot pay the fee'],
]);

/** What a builder answers to a wish that cannot be carried out. */
export const expectedBuildErrors: ReadonlySet<string> = new Set([
  'NOTHING_TO_BUILD',
  'KLEND_OBLIGATION_NOT_FOUND',
]);
