/** Metadata of a vault's share token, derived from the token's ticker and the vault's name. */
export type ShareMint = {
  readonly name: string;
  readonly symbol: string;
  readonly description: string;
};

export function viewShareMint(ticker: string, vaultName: string): ShareMint {
  const label = vaultLabel(ticker, vaultName);
  return {
    name: ['kVault', ticker, label].filter((part) => part !== '').join(' '),
    symbol: `kV-${ticker}`,
    description: `Receipt token of the ${vaultName === '' ? ticker : vaultName} earn vault`,
  };
}

/** The vault's name without the ticker. */
export function vaultLabel(ticker: string, vaultName: string): string {
  const word = ticker.toLowerCase();
  return vaultName
    .split(/\s+/)
    .filter((part) => part !== '' && part.toLowerCase() !== word)
    .join(' ');
}
