import { catalogue } from '../kit/texts.ts'

export const migrationTexts = catalogue({
  en: {
    title: 'Moving',
    movedTo: (acct: string) => `This account points to @${acct}. It cannot be used meanwhile.`,
    cancel: 'Use this account again',
    inTitle: 'Moving here from another account',
    inHint:
      'Name the other account first. Then begin the move there: its followers come along, its posts stay there.',
    alias: 'Handle of the other account, such as name@server.example',
    addAlias: 'Name it as an alias',
    removeAlias: 'Remove',
    outTitle: 'Moving from here to another account',
    outHint:
      'The other account must name this one as an alias. Your followers will follow it instead; your posts stay here. You can move again after 30 days.',
    target: 'Handle of the account to move to',
    password: 'Current password',
    move: 'Move followers',
    redirectTitle: 'Only pointing to another account',
    redirectHint: 'Your profile says where you are. Followers stay, and you can come back at any time.',
    redirect: 'Point there',
    past: 'Earlier moves',
    pastMove: (acct: string, followers: number) => `@${acct} (${followers} followers)`,
  },
  de: {
    title: 'Umzug',
    movedTo: (acct: string) => `Dieses Konto verweist auf @${acct}. Solange kann es nicht benutzt werden.`,
    cancel: 'Dieses Konto wieder benutzen',
    inTitle: 'Von einem anderen Konto hierher ziehen',
    inHint:
      'Nenne zuerst das andere Konto. Dann beginne dort den Umzug: Wer ihm folgt, kommt mit; seine Beiträge bleiben dort.',
    alias: 'Adresse des anderen Kontos, etwa name@server.example',
    addAlias: 'Als Alias nennen',
    removeAlias: 'Entfernen',
    outTitle: 'Von hier zu einem anderen Konto ziehen',
    outHint:
      'Das andere Konto muss dieses als Alias nennen. Wer dir folgt, folgt dann ihm; deine Beiträge bleiben hier. Nach 30 Tagen kannst du wieder umziehen.',
    target: 'Adresse des neuen Kontos',
    password: 'Derzeitiges Passwort',
    move: 'Mit allen Folgenden umziehen',
    redirectTitle: 'Nur auf ein anderes Konto verweisen',
    redirectHint: 'Dein Profil sagt, wo du bist. Wer dir folgt, bleibt, und du kannst jederzeit zurück.',
    redirect: 'Verweisen',
    past: 'Frühere Umzüge',
    pastMove: (acct: string, followers: number) => `@${acct} (${followers} Folgende)`,
  },
})
