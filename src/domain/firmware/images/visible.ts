/** Which images a caller knows, and which are its own (FIRMWARE-I5). The account's own callers know all of them. */
import type { FirmwareImage } from '../records.ts'

type Owned = Pick<FirmwareImage, 'grantId'>

/** `own`: read, delete. `name`: in an application's campaigns. @param grantId of an application; undefined: account */
export function knowledgeOf(image: Owned, grantId: string | undefined): 'own' | 'name' | undefined {
  if (grantId === undefined || image.grantId === grantId) return 'own'
  return image.grantId === undefined ? 'name' : undefined
}

export function imageFile(id: string): string {
  return `firmware-${id.replace('_', '-')}`
}
