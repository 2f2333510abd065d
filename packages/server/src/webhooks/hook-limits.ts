/** Hooks that an API key may have: each is evaluated at every slot. */
export const MAX_HOOKS_PER_KEY = 100;

/** How long the secret before a rotation signs too. */
export const PREVIOUS_SECRET_MS = 86_400_000;
