/** Which variables a report has: the three bases (B07), or criteria and names (B08). */
import type { DeviceModel, KnownVariable } from './device-model.ts'
import type { VariableName } from './variable.ts'

/** Of a summary: what an operator wants to know at a glance. */
const SUMMARY = new Set(['availabilitystate', 'problem', 'enabled', 'operationalstatus'])

export function ofBase(model: DeviceModel, base: string): readonly KnownVariable[] {
  if (base === 'FullInventory') return model.variables
  if (base === 'SummaryInventory') {
    return model.variables.filter(({ name }) => SUMMARY.has(name.variable.name.toLowerCase()))
  }
  return model.variables.filter(({ declared }) => declared.mutability !== 'ReadOnly')
}

export interface ReportRequest {
  readonly componentCriteria?: readonly string[]
  readonly componentVariable?: readonly (Pick<VariableName, 'component'> & Partial<Pick<VariableName, 'variable'>>)[]
}

/** Any of the criteria and any of the names; both where both are given. */
export function ofRequest(model: DeviceModel, wish: ReportRequest): readonly KnownVariable[] {
  const { componentCriteria: criteria, componentVariable: names } = wish
  return model.variables.filter(
    (variable) =>
      (!criteria || criteria.some((criterion) => meets(model, variable, criterion))) &&
      (!names || names.some((name) => isSelected(variable.name, name))),
  )
}

/** What a component does not tell of itself counts as true, but for a problem. */
function meets(model: DeviceModel, { name }: KnownVariable, criterion: string): boolean {
  const { value } = model.get({ component: name.component, variable: { name: criterion } }, 'Actual')
  return value === undefined ? criterion !== 'Problem' : value.toLowerCase() === 'true'
}

/** An absent member matches any. */
export function isSelected({ component, variable }: VariableName, desired: Partial<VariableName>): boolean {
  const { component: desiredComponent, variable: desiredVariable } = desired
  const isComponent =
    !desiredComponent ||
    (isSame(component.name, desiredComponent.name) &&
      (desiredComponent.instance === undefined || isSame(component.instance ?? '', desiredComponent.instance)) &&
      (desiredComponent.evse === undefined ||
        (component.evse?.id === desiredComponent.evse.id &&
          (desiredComponent.evse.connectorId === undefined ||
            component.evse.connectorId === desiredComponent.evse.connectorId))))
  const isVariable =
    !desiredVariable ||
    (isSame(variable.name, desiredVariable.name) &&
      (desiredVariable.instance === undefined || isSame(variable.instance ?? '', desiredVariable.instance)))
  return isComponent && isVariable
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
