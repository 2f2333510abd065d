/** Vaults that lend to companies. */
export const mainnetPrivateCreditVaults = [
  'qoCFKVrNfFCJKxEaLBbXrWNpeMT2xyfUEjFqMyddheA',
  '91b1opzHNUQobfLZxGMNYT5qDRKoqV8FdsdQBmH4wBxy',
  '9N6rwA6X1f3i7kworobcJpbCJDqi28F455m6u9Huu1b4',
  'HJdCo3mq4tuRZoRLWgqRwVoqtm44V1z3Jf4xuz3LwpQr',
] as const;
