/** The types of actors that say of themselves to be programs: bots. */
export const automatedTypes = ['Application', 'Service']

export const isAutomated = (actorType: string): boolean => automatedTypes.includes(actorType)
