/**
 * Differences between builds of the vault program. The public source (2.1.1) contains the arithmetic of klend 1.12.
 * Which one the deployed build contains is not known, so a planned withdrawal must be valid under both.
 */
export type VaultRules = {
  /**
   * The release of the lending program whose cToken arithmetic the build contains. Before 1.14 a withdrawal redeems
   * one cToken more than necessary, and a withdrawal of fees rounds down to 60 bits first.
   */
  readonly arithmetic: 'klend 1.12' | 'klend 1.14';
};

export const CURRENT_VAULT_RULES: VaultRules = { arithmetic: 'klend 1.12' };

export const VAULT_RULES_OF_KLEND_1_14: VaultRules = { arithmetic: 'klend 1.14' };

export const ALL_VAULT_RULES: readonly VaultRules[] = [
  CURRENT_VAULT_RULES,
  VAULT_RULES_OF_KLEND_1_14,
];
