/** Every declared resource: the rooms mount what each one has. */
import { quirk } from '../device-model/quirk.ts'
import { tariff } from '../tariffs/tariff.ts'

export const RESOURCES = [tariff, quirk] as const
