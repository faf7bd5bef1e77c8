import type { StoredVariable } from '../../domain/device-model/records.ts'
import { nameText } from '../../domain/device-model/variable-names.ts'
import { choice, labelsOf, pageSize, type Requested, text } from '../kit/filters.ts'
import { variableTexts } from '../kit/parts.tsx'

const LONGEST = 500
const label = labelsOf(variableTexts)

export const VARIABLE_FILTERS = {
  q: { ...text(label('search'), { longest: LONGEST }), kind: 'search' as const },
  component: text(label('component'), { longest: LONGEST }),
  which: choice(label('which'), ['settable', 'gone'], (frame) => variableTexts(frame).choices),
  size: pageSize,
}

export function fitsQuery({ q = '', component = '', which }: Requested<typeof VARIABLE_FILTERS>) {
  const part = q.toLowerCase()
  const named = component.toLowerCase()
  return (row: StoredVariable): boolean =>
    (named === '' || row.componentName === named) &&
    (which !== 'gone' || row.gone) &&
    (which !== 'settable' || isSettable(row)) &&
    (part === '' || nameText(row.name).toLowerCase().includes(part) || row.value?.toLowerCase().includes(part) === true)
}

export function isSettable({ gone, characteristics: { mutability, constant } }: StoredVariable): boolean {
  return !gone && constant !== true && mutability?.toLowerCase() !== 'readonly'
}
