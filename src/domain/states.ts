/** Words that types, schemas and pages share. */

/** SESSION-S2. `completed` and `failed` are terminal. */
export const SESSION_STATES = ['pending', 'charging', 'suspended', 'finishing', 'completed', 'failed'] as const
/** SESSION-S4. */
export const END_REASONS = ['normal', 'deauthorized', 'interrupted', 'rejected', 'expired', 'cancelled'] as const
export const DELIVERY_STATES = [
  'pending',
  'in_flight',
  'succeeded',
  'failed',
  'held',
  'superseded',
  'cancelled',
] as const
