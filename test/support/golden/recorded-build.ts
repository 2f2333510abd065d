import { RULES_BEFORE_1_11 } from '#core/protocol/klend/lending-rules.ts';
import { VAULT_RULES_OF_KLEND_1_14 } from '#core/protocol/kvault/vault-rules.ts';
import { LEGACY_FARMS_RULES } from '#localnet/programs/farms/farms-rules.ts';
import type { ModelRules } from '#localnet/programs/model-programs.ts';

/** The builds that recorded the golden transactions. */
export const RECORDED_BUILD_RULES: ModelRules = {
  lending: RULES_BEFORE_1_11,
  vaults: VAULT_RULES_OF_KLEND_1_14,
  farms: LEGACY_FARMS_RULES,
};
