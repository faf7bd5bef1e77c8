/** The device model over the API: variables of one charge point and of all, and reports (DEVICE-A1, DEVICE-A2). */

import { z } from '@hono/zod-openapi'
import { componentSchema, variableSchema } from '../../application/device-model/schemas.ts'
import { filterText, listOf, pageParameters, queryInteger, shown, time } from '../../application/schemas/common.ts'
import type { Report, StoredVariable } from '../../domain/device-model/records.ts'
import { grantOf, sharedChargePoints, withheldFrom } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { chargePointResource, type pageOf, recordPage, resource } from '../resource.ts'
import { orNotFound, orRefused } from '../respond.ts'

const TAG = 'Device model'

const VariableSchema = z
  .strictObject({
    evseControllerId: z.string(),
    component: componentSchema,
    variable: variableSchema,
    attribute: z.string(),
    value: z.string().optional().openapi({ description: '*** where it is a secret.' }),
    mutability: z.string().optional(),
    dataType: z.string().optional(),
    unit: z.string().optional(),
    minLimit: z.number().optional(),
    maxLimit: z.number().optional(),
    valuesList: z.string().optional(),
    persistent: z.boolean().optional(),
    constant: z.boolean().optional(),
    supportsMonitoring: z.boolean().optional().openapi({ description: 'Whether a monitor may be set on it.' }),
    gone: z.literal(true).optional().openapi({ description: 'The newest complete report no longer had it.' }),
    updatedAt: time(),
  })
  .openapi('Variable')
const VariableListSchema = listOf('VariableList', VariableSchema)

const filters = {
  component: filterText(100, 'Name of the component, in any case.'),
  variable: filterText(100, 'Name of the variable, in any case.'),
  evseId: queryInteger(0, 999, 'Of this EVSE.').optional(),
  value: z.string().max(2500).optional().openapi({ description: 'Exactly this value.' }),
  ...pageParameters,
}

const BASES = ['FullInventory', 'ConfigurationInventory', 'SummaryInventory'] as const
const ReportOrderSchema = z
  .strictObject({
    base: z.enum(BASES).optional(),
    criteria: z
      .array(z.enum(['Active', 'Available', 'Enabled', 'Problem']))
      .min(1)
      .max(4)
      .optional(),
    componentVariables: z
      .array(z.strictObject({ component: componentSchema, variable: variableSchema.optional() }))
      .min(1)
      .max(500)
      .optional(),
  })
  .openapi('ReportOrder')
const ReportSchema = z
  .strictObject({
    id: z.string(),
    state: z.enum(['running', 'complete', 'incomplete', 'rejected']).openapi({
      description: 'incomplete: no page came for two minutes, or it was interrupted; what came is kept.',
    }),
    reason: z.string().optional(),
    truncated: z.literal(true).optional().openapi({ description: 'It had more than is kept of one charge point.' }),
    variableCount: z.int().optional(),
    createdAt: time(),
    updatedAt: time(),
  })
  .openapi('Report')

const variableQuery = z.strictObject(filters)
type Filter = z.output<typeof variableQuery>
type Listing = Parameters<typeof pageOf>[1] & { readonly query: Filter }

export function addDeviceModel(api: Api): void {
  addVariables(api)
  addReports(api)
}

function addVariables(api: Api): void {
  const ofOne = chargePointResource(api, { tag: TAG, path: '/variables' })
  ofOne.get('', 'listVariablesOfEvseController', 'List variables of a charge point', {
    description: 'Configuration keys of OCPP 1.6 are variables of the component ChargePoint.',
    query: variableQuery,
    ok: [VariableListSchema, 'A page of variables'],
    handle: (request) => variablePage(api, request, `variables of ${request.chargePoint.id}`, [request.chargePoint.id]),
  })
  resource(api, { tag: TAG, path: '/2/variables' }).get('', 'listVariables', 'List one variable across charge points', {
    query: variableQuery,
    ok: [VariableListSchema, 'A page of variables'],
    handle: (request) => variablePage(api, request, 'variables', sharedChargePoints(request.principal)),
  })
}

function fits(row: StoredVariable, { component, variable, evseId, value }: Filter): boolean {
  return (
    (component === undefined || row.componentName === component.toLowerCase()) &&
    (variable === undefined || row.variableName === variable.toLowerCase()) &&
    (evseId === undefined || row.name.component.evseId === evseId) &&
    (value === undefined || row.value === value)
  )
}

async function variablePage(api: Api, request: Listing, name: string, of: readonly string[] | undefined) {
  const { principal, query } = request
  const withheld = of ? undefined : await withheldFrom(api.reads, principal)
  return recordPage(api, request, {
    name,
    kind: 'variables',
    where: {
      accountId: principal.accountId,
      componentName: query.component?.toLowerCase(),
      variableName: query.variable?.toLowerCase(),
    },
    of,
    fits: (row) => fits(row, query) && !withheld?.has(row.chargePointId),
    show: (found) => found.map(representVariable),
  })
}

function addReports(api: Api): void {
  const reports = chargePointResource(api, { tag: TAG, path: '/reports' })
  const find = async (chargePointId: string, id: number): Promise<object> => {
    const report = orNotFound(await api.reads.getRecord('reports', { chargePointId, id }), 'report')
    return representReport(report)
  }
  reports.post('', 'orderReport', 'Request a report of a charge point’s variables', {
    description:
      'Give a base, or criteria and componentVariables. It waits up to a day for a charge point that is away. A FullInventory that comes whole marks what it leaves out as gone. Of OCPP 1.6 every base asks for all configuration keys.',
    body: ReportOrderSchema,
    inspect: ({ body }) => ({ faults: askFaults(body) }),
    problems: [409, 422, 429],
    begun: [ReportSchema, 'The report, which is being made'],
    async handle({ principal, chargePoint: { id: chargePointId, accountId }, body: ask }) {
      const order = { accountId, chargePointId, ask, grantId: grantOf(principal) }
      const { id } = orRefused(await api.core.orderReport(order))
      return find(chargePointId, id)
    },
  })
  reports.get('/{reportId}', 'getReportOfEvseController', 'Get a report', {
    params: z.object({ reportId: z.string() }),
    ok: [ReportSchema, 'The report'],
    handle: ({ chargePoint, params }) =>
      find(chargePoint.id, /^\d{1,15}$/.test(params.reportId) ? Number(params.reportId) : 0),
  })
}

function askFaults({ base, criteria, componentVariables }: Readonly<Record<string, unknown>>) {
  if (base !== undefined && (criteria !== undefined || componentVariables !== undefined)) {
    return [{ pointer: '/base', code: 'invalid_value', message: 'goes without criteria and componentVariables' }]
  }
  const isEmpty = base === undefined && criteria === undefined && componentVariables === undefined
  return isEmpty
    ? [{ pointer: '/base', code: 'required', message: 'or criteria or componentVariables is required' }]
    : []
}

function representVariable(row: StoredVariable): object {
  return shown(VariableSchema, { ...row, ...row.name, ...row.characteristics }, { gone: row.gone || undefined })
}

function representReport(report: Report): object {
  return shown(ReportSchema, report, { id: String(report.id), truncated: report.truncated || undefined })
}
