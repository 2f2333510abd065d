/** The newest recording is of this slot; its price is of three seconds earlier. */
export const RECORDED_AT = { slot: 437_673_240n, unix: 1_786_057_260n } as const;
