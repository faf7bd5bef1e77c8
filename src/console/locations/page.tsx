/** A location with its form, its EVSEs, and what AFIR misses (LOCATION-P2). */
import type { FC } from 'hono/jsx'
import { check } from '../../application/check-schema.ts'
import { changeLocation, type PutBody, putLocation, removeLocation } from '../../application/locations/change.ts'
import { locationParams, PutLocationSchema } from '../../application/locations/schemas.ts'
import { findLocation, requestOf } from '../../application/locations/show.ts'
import { type MissingElement, missingForAfir } from '../../domain/locations/afir-elements.ts'
import type { ShownEvse, ShownLocation } from '../../domain/locations/shown.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { noSuch, refuse, refuseFaults } from '../../domain/refuse.ts'
import { tariffsAt } from '../../domain/tariffs/places.ts'
import { Action, type Frame, NOTHING_TYPED, Page, type Typed } from '../../web/entries.tsx'
import { TableCard, TextLink, Title } from '../../web/parts/table.tsx'
import type { PageContext } from '../../web/site.ts'
import type { ConsolePage, MountConsolePages } from '../console-parts.ts'
import { Deletion, Form, typedWith } from '../kit/form.tsx'
import { ago, chip, Panel, wordsIn } from '../kit/parts.tsx'
import { chargePointPath, locationPath } from '../paths.ts'
import { acting, actingPage, again, type Done, mayAct, showing, type Visit } from '../visit.tsx'
import { evseBody, evseFields, locationBody, locationFields } from './form.ts'
import { nameOf, showLocations, stateOf, statusChip } from './list.tsx'
import { downloadLocations, takeLocations, transferPage } from './transfer.tsx'

const LIST = '/locations'

export const addLocationPages: MountConsolePages = (page) => {
  page(LIST, { GET: showLocations })
  page('/new-location', { GET: actingPage(async (visit) => newPage(visit, NOTHING_TYPED)), POST: createLocation })
  page('/export/locations', { GET: downloadLocations })
  page('/import/locations', { GET: actingPage(async (visit) => transferPage(visit)), POST: takeLocations })
  page(`${LIST}/:location`, { GET: showing('see', (visit) => locationPage(visit)), POST: saveLocation })
  page(`${LIST}/:location/evses`, { POST: addEvse })
  page(`${LIST}/:location/evses/remove`, { POST: removeEvse })
  page(`${LIST}/:location/delete`, { POST: deleteLocation })
}

function newPage(visit: Visit, typed: Typed) {
  const { frame } = visit
  const words = wordsIn('locations', frame)
  return (
    <Page frame={frame} title={words.newLocation}>
      <Title text={words.newLocation} up={[[frame.root + LIST, words.title]]} />
      <Form
        visit={visit}
        action={LIST}
        to={`${frame.root}/new-location`}
        typed={typed}
        once
        fields={[{ name: 'location', label: words.id, hint: words.idHint, required: true }, ...locationFields(frame)]}
        submit={words.create}
        back={frame.root + LIST}
      />
    </Page>
  )
}

const createLocation = acting(LIST, async (visit, form) => {
  const { site, accountId } = visit
  const id = form.get('location')?.trim() ?? ''
  const named = check(locationParams, { location: id })
  const body = check(PutLocationSchema, locationBody(form))
  const faults = [named, body].flatMap((part) => (part.ok ? [] : part.faults))
  const refused = (refusal: Refusal): Done => again(newPage(visit, typedWith(form, refusal)), refusal)
  if (!named.ok || !body.ok) return refused(refuseFaults(faults))
  if (await findLocation(site.reads, accountId, id)) {
    return refused(refuse(409, 'exists', `There is a location ${id} already.`))
  }
  const done = await putLocation(site, accountId, id, body.value as PutBody)
  return 'refused' in done ? refused(done) : `${LIST}/${encodeURIComponent(id)}`
})

interface Forms {
  readonly facts?: Typed
  readonly evse?: Typed
}

function idOf({ req }: PageContext): string {
  return req.param('location') ?? ''
}

async function locationPage(visit: Visit, { facts = NOTHING_TYPED, evse = NOTHING_TYPED }: Forms = {}) {
  const { site, frame, context, accountId } = visit
  const location = await findLocation(site.reads, accountId, idOf(context))
  if (!location) return undefined
  const words = wordsIn('locations', frame)
  const path = locationPath(frame, location.locationId)
  const pricing = tariffsAt(await site.reads.listTariffs(accountId))
  const [tone, state] = stateOf(frame, location)
  return (
    <Page frame={frame} title={nameOf(location)} wide live>
      <Title
        text={<bdi>{nameOf(location)}</bdi>}
        up={[[frame.root + LIST, words.title]]}
        said={
          <span data-live="state">
            <span class={`chip ${tone}`}>{state}</span> {!location.publish && words.notPublic}
          </span>
        }
      >
        {mayAct(visit) && (
          <Deletion visit={visit} action={LIST} of={path} ask={words.deleteAsk} what={nameOf(location)} />
        )}
      </Title>
      <div class="cols">
        <div>
          <Evses visit={visit} location={location} path={path} />
          {mayAct(visit) && (
            <Form
              visit={visit}
              action={LIST}
              to={`${path}/evses`}
              title={words.addEvse}
              folded={evse === NOTHING_TYPED ? 'closed' : 'open'}
              typed={evse}
              fields={evseFields(frame)}
              submit={words.addEvse}
              once
            />
          )}
          <Missing frame={frame} missing={missingForAfir(location, pricing)} />
        </div>
        <div>
          {mayAct(visit) && (
            <Form
              visit={visit}
              action={LIST}
              to={path}
              title={words.facts}
              typed={facts}
              fields={locationFields(frame, location)}
              submit={words.save}
            />
          )}
        </div>
      </div>
    </Page>
  )
}

const Evses: FC<{ visit: Visit; location: ShownLocation; path: string }> = ({ visit, location: { evses }, path }) => {
  const { frame, csrf } = visit
  const words = wordsIn('locations', frame)
  return (
    <TableCard<ShownEvse>
      heading={words.evses}
      live="evses"
      rows={evses}
      empty={words.noEvses}
      columns={[
        { title: words.evse, heads: true, text: ({ evseId, uid }) => evseId ?? uid },
        chip(words.state, ({ status }) => statusChip(frame, status)),
        {
          title: words.chargePoint,
          cell: ({ chargePointId, ocppEvseId }) =>
            chargePointId !== undefined && (
              <TextLink
                to={chargePointPath(frame, chargePointId)}
                text={ocppEvseId === undefined ? chargePointId : `${chargePointId} / ${ocppEvseId}`}
              />
            ),
        },
        {
          title: words.connectors,
          text: ({ connectors }) => connectors.map(({ standard }) => standard).join(', '),
        },
        ago(frame, words.changedAt, ({ lastUpdated }) => lastUpdated),
        mayAct(visit) && {
          kind: 'acts',
          cell: ({ uid, evseId, status }) =>
            status !== 'REMOVED' && (
              <Action
                to={`${path}/evses/remove`}
                csrf={csrf(LIST)}
                sent={{ uid }}
                ask={words.removeAsk}
                order={words.deleteOf(evseId ?? uid)}
                text={words.removeEvse}
              />
            ),
        },
      ]}
    />
  )
}

const Missing: FC<{ frame: Frame; missing: readonly MissingElement[] }> = ({ frame, missing }) => {
  const words = wordsIn('locations', frame)
  if (missing.length === 0) return <Panel title={words.afir}>{words.nothingMissing}</Panel>
  return (
    <TableCard<MissingElement>
      heading={words.afir}
      live="missing"
      before={<p class="soft">{words.afirLead}</p>}
      rows={missing}
      columns={[
        { title: words.member, heads: true, text: ({ member }) => member },
        { title: words.element, text: ({ element }) => element },
        {
          title: words.evse,
          text: ({ evseUid, connectorId }) => [evseUid, connectorId].filter((one) => one !== undefined).join(' / '),
        },
      ]}
    />
  )
}

/** @param formsOf what was typed, shown again where it is refused */
function changing(
  bodyOf: (form: URLSearchParams, before: ShownLocation) => object,
  formsOf: (form: URLSearchParams, refusal: Refusal, before: ShownLocation) => Forms = () => ({}),
): ConsolePage {
  return acting(LIST, async (visit, form) => {
    const { site, context, accountId } = visit
    const before = await findLocation(site.reads, accountId, idOf(context))
    if (!before) return noSuch('location')
    const done = await changeLocation(site, accountId, before.locationId, bodyOf(form, before))
    if (!('refused' in done)) return `${LIST}/${encodeURIComponent(before.locationId)}`
    const page = await locationPage(visit, formsOf(form, done, before))
    return page === undefined ? done : again(page, done)
  })
}

const saveLocation = changing(locationBody, (form, refusal) => ({ facts: typedWith(form, refusal) }))

const addEvse = changing(
  (form, before) => ({ evses: [...requestOf(before).evses, evseBody(form)] }),
  (form, { errors = [], detail }, before) => {
    const within = new RegExp(`^/evses/${requestOf(before).evses.length}(?:/connectors/0)?(?=/)`)
    const placed = errors.map((one) => ({ ...one, pointer: one.pointer.replace(within, '') }))
    return { evse: typedWith(form, { detail, errors: placed }) }
  },
)

const removeEvse = changing((form, before) => ({
  evses: requestOf(before).evses.filter(({ uid }) => uid !== form.get('uid')),
}))

const deleteLocation = acting(
  LIST,
  async ({ site, context, accountId }) => (await removeLocation(site, accountId, idOf(context))) ?? LIST,
)
