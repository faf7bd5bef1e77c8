/** Configurations: settings for many charge points (CONSOLE-N3, CONSOLE-N4). */
import { clearValue, putConfiguration, shownValue } from '../../application/configuration/orders.ts'
import type { Configuration } from '../../domain/configuration/records.ts'
import { nameText } from '../../domain/device-model/variable-names.ts'
import { Facts, wordsIn } from '../kit/parts.tsx'
import { Rows } from '../kit/rows.tsx'
import { windowFields } from '../selector/choosing.tsx'
import { fleetSetPages } from './fleet-sets.tsx'
import { formOf, KEY_FIELDS, readConfiguration, secretId, VARIABLE_FIELDS } from './form.ts'

export const addConfigurationPages = fleetSetPages<Configuration>({
  plural: 'configurations',
  fresh: '/new-configuration',
  what: 'configuration',
  kind: 'configurations',
  columns: (frame) => {
    const words = wordsIn('configurations', frame)
    return [
      { title: words.values, kind: 'number', cell: ({ variables, keys16 }) => variables.length + keys16.length },
      { title: words.priority, kind: 'number', cell: ({ priority }) => priority },
    ]
  },
  about: (frame, { variables, keys16, rebootPolicy, rebootWindow: hours, priority }) => {
    const words = wordsIn('configurations', frame)
    const window = hours && ` ${hours.start}–${hours.end} ${hours.timeZone} ${(hours.days ?? []).join(' ')}`
    return (
      <Facts
        class="card"
        facts={[
          ...variables.map((one) => [<bdi>{nameText(one)}</bdi>, <bdi>{shownValue(one)}</bdi>, 'host'] as const),
          ...keys16.map((one) => [<bdi>{one.key}</bdi>, <bdi>{shownValue(one)}</bdi>, 'host'] as const),
          [words.reboot, [words.policies[rebootPolicy], window]],
          [words.priority, String(priority)],
        ]}
      />
    )
  },
  fields: (frame, typed, trial, timeZone) => {
    const words = wordsIn('configurations', frame)
    const rows = { frame, typed }
    return [
      {
        fields: [],
        more: (
          <>
            <Rows {...rows} title={words.variables} hint={words.variablesHint} fields={VARIABLE_FIELDS} />
            <Rows {...rows} title={words.keys16} hint={words.secretHint} fields={KEY_FIELDS} more={trial} />
          </>
        ),
      },
      { name: 'rebootPolicy', label: words.reboot, value: 'never', options: words.policies },
      windowFields(frame, timeZone),
      { name: 'priority', label: words.priority, value: '0', hint: words.priorityHint, inputmode: 'numeric' },
    ]
  },
  formOf,
  cameOf: ({ source }, name) => source?.configuration === name,
  put: async (place, form, { accountId, name, before }) => {
    const all = [...(before?.variables ?? []), ...(before?.keys16 ?? [])]
    const secrets = new Map(all.flatMap((one) => (one.isSecret ? [[secretId(one), one]] : [])))
    const asked = readConfiguration(form, (id) => {
      const known = secrets.get(id)
      return known && clearValue(place, accountId, known)
    })
    return 'refused' in asked ? asked : putConfiguration(place, accountId, name, asked)
  },
})
