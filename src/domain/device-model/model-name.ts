/** By what a mark of a model is found: its vendor, model and firmware (DEVICE-A6). */
import type { ModelQuirk } from './records.ts'

export function modelNameOf({
  vendor = '',
  model = '',
  firmwareVersion = '',
}: {
  readonly vendor?: string | undefined
  readonly model?: string | undefined
  readonly firmwareVersion?: string | undefined
}): Pick<ModelQuirk, 'vendor' | 'model' | 'firmwareVersion'> {
  return { vendor, model, firmwareVersion }
}
