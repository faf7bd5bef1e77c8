import { customType } from 'drizzle-orm/sqlite-core'

/** Text that compares, sorts and is unique regardless of ASCII case: e-mail addresses, id tokens (TOKEN-Z1). */
export const caselessText = customType<{ data: string; driverData: string }>({
  dataType: () => 'text COLLATE NOCASE',
})
