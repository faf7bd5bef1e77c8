/** Which images a caller knows, and which are its own (FIRMWARE-I5). The account's own callers know all of them. */
import type { FirmwareImage } from '../records.ts'

type Owned = Pick<FirmwareImage, 'grantId'>

/**
 * `own`: to read and to delete. `name`: one of the account, which an application may name in its campaigns.
 * @param grantId of the application that asks; undefined: it is the account itself
 */
export function knowledgeOf(image: Owned, grantId: string | undefined): 'own' | 'name' | undefined {
  if (grantId === undefined || image.grantId === grantId) return 'own'
  return image.grantId === undefined ? 'name' : undefined
}
