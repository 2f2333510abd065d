import { farmsReleases } from '#core/protocol/farms/releases.ts';
import { klendReleases } from '#core/protocol/klend/releases.ts';
import { kvaultReleases } from '#core/protocol/kvault/releases.ts';
import type { ProgramRules } from '#core/protocol/releases/program-rules.ts';

/**
 * The builds that recorded the golden transactions, of February 2025. The vault program was implemented again, with the
 * rounding of a later release.
 */
export const RECORDED_BUILD_RULES: ProgramRules = {
  lending: klendReleases[0].rules,
  vaults: { ...kvaultReleases[0].rules, withdrawRounding: 'exact' },
  farms: farmsReleases[0].rules,
};
