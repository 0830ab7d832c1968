// What errors say, in German, by what they say in English; `{}` stands for what is put in, in the same order.
// `error-texts.test.ts` finds those that are missing.

/** Whole messages. */
export const sentences: Readonly<Record<string, string>> = {
  'An activity is sent as application/activity+json':
    'Eine Aktivität wird als application/activity+json gesendet',
  'Animations of {} frames are not supported': 'Animationen mit {} Bildern werden nicht unterstützt',
  'Another archive is being imported': 'Gerade wird ein anderes Archiv importiert',
  'Bad request': 'Fehlerhafte Anfrage',
  'Cannot attach a video to a post that already contains images':
    'An einen Beitrag mit Bildern kann kein Video angehängt werden',
  'Cannot attach files that have not finished processing. Try again in a moment!':
    'Dateien, die noch verarbeitet werden, können nicht angehängt werden. Versuche es gleich noch einmal!',
  'Cannot attach more than {} files': 'Mehr als {} Dateien können nicht angehängt werden',
  'Conflict during update, please try again':
    'Die Änderung traf auf eine andere, bitte versuche es noch einmal',
  'Duplicate record': 'Das gibt es schon',
  'Films and sounds cannot be processed now': 'Filme und Töne können jetzt nicht verarbeitet werden',
  'Invalid date supplied': 'Das angegebene Datum ist ungültig',
  'It could not be published in several attempts':
    'Es konnte auch nach mehreren Versuchen nicht veröffentlicht werden',
  'LIMITED_FEDERATION_MODE is not on': 'LIMITED_FEDERATION_MODE ist nicht eingeschaltet',
  'Media attachment is currently used by a status': 'Ein Beitrag verwendet diese Datei',
  'Media storage cannot be reached': 'Der Speicher für Medien ist nicht erreichbar',
  'Nobody here has the address {}': 'Niemand hier hat die Adresse {}',
  'Not Found': 'Nicht gefunden',
  'Record invalid': 'Der Eintrag ist ungültig',
  'Record not found': 'Der Eintrag wurde nicht gefunden',
  'Remote data could not be fetched': 'Daten eines anderen Servers konnten nicht geholt werden',
  'Search queries pagination is not supported without authentication':
    'Ohne Anmeldung kann in Suchergebnissen nicht geblättert werden',
  'Search queries that resolve remote resources are not supported without authentication':
    'Ohne Anmeldung kann auf anderen Servern nicht nachgesehen werden',
  'Storing the files took too long': 'Das Speichern der Dateien hat zu lange gedauert',
  'The access token is invalid': 'Das Zugriffstoken ist ungültig',
  'The access token expired': 'Das Zugriffstoken ist abgelaufen',
  'The access token was revoked': 'Das Zugriffstoken wurde widerrufen',
  'The animation has too many frames': 'Die Animation hat zu viele Bilder',
  'The archive has more than {} entries': 'Das Archiv hat mehr als {} Einträge',
  'The archive has more than {} posts': 'Das Archiv hat mehr als {} Beiträge',
  'The archive is damaged': 'Das Archiv ist beschädigt',
  'The archive names files outside of itself': 'Das Archiv nennt Dateien, die außerhalb von ihm liegen',
  'The archive unpacks to more than {} MB': 'Das Archiv ist ausgepackt größer als {} MB',
  'The file cannot be read': 'Die Datei kann nicht gelesen werden',
  'The file is not a picture of a supported type': 'Die Datei ist kein Bild einer unterstützten Art',
  'The file is too large': 'Die Datei ist zu groß',
  'The file needs too much memory': 'Die Datei braucht zu viel Speicher',
  'The file takes too long to convert': 'Die Datei umzuwandeln dauert zu lange',
  'The file would become too large': 'Die Datei würde zu groß',
  'The files of the archive are too large together': 'Die Dateien des Archivs sind zusammen zu groß',
  'The film has no pictures': 'Der Film hat keine Bilder',
  'The multipart body is broken': 'Der mehrteilige Inhalt ist beschädigt',
  'The password has just been changed': 'Das Passwort wurde gerade geändert',
  'The post you are trying to quote does not appear to exist.':
    'Den Beitrag, den du zitieren willst, scheint es nicht zu geben.',
  'The post you are trying to reply to does not appear to exist.':
    'Den Beitrag, auf den du antworten willst, scheint es nicht zu geben.',
  'The record was changed at the same time': 'Der Eintrag wurde zur selben Zeit geändert',
  'The request has too many parts': 'Die Anfrage hat zu viele Teile',
  'The request is too large': 'Die Anfrage ist zu groß',
  'The request took too long': 'Die Anfrage hat zu lange gedauert',
  'The server cannot store files': 'Der Server kann keine Dateien speichern',
  'The server has no room for this just now, please try again later':
    'Der Server hat dafür gerade keinen Platz, bitte versuche es später noch einmal',
  'The token for metrics is missing or wrong': 'Das Token für die Messwerte fehlt oder ist falsch',
  'The translation service gets too many requests just now':
    'Der Übersetzungsdienst bekommt gerade zu viele Anfragen',
  'The translation service has been used as much as this server may':
    'Dieser Server hat den Übersetzungsdienst so viel genutzt, wie er darf',
  'The uploaded file is gone': 'Die hochgeladene Datei ist nicht mehr da',
  'There is no free id for this post': 'Für diesen Beitrag ist keine Nummer frei',
  'There is no local account {}': 'Es gibt kein hiesiges Konto {}',
  'There is no outbox.json in the archive': 'Im Archiv ist keine outbox.json',
  'There is no role {}': 'Es gibt keine Rolle {}',
  'There is no role {}; there are {}': 'Es gibt keine Rolle {}; es gibt {}',
  'There was a problem on our end': 'Bei uns ist etwas schiefgegangen',
  'There was a temporary problem serving your request, please try again':
    'Deine Anfrage konnte gerade nicht bearbeitet werden, bitte versuche es noch einmal',
  'There was an error parsing the JSON of the request': 'Das JSON der Anfrage ist fehlerhaft',
  'This account can only be reached by OStatus, which is no longer supported':
    'Dieses Konto ist nur über OStatus erreichbar, das nicht mehr unterstützt wird',
  'This account is not known here': 'Dieses Konto ist hier nicht bekannt',
  'This action is not allowed': 'Diese Aktion ist nicht erlaubt',
  'This action is outside the authorized scopes': 'Diese Aktion liegt außerhalb der erteilten Berechtigungen',
  'This form is incomplete': 'Dieses Formular ist unvollständig',
  'This invite is used up': 'Diese Einladung ist aufgebraucht',
  'This is no .zip or .tar.gz archive': 'Das ist kein Archiv der Art .zip oder .tar.gz',
  'This method is only available to the application the user originally signed-up with':
    'Das darf nur die Anwendung, mit der das Konto erstellt wurde',
  'This method is only available while the e-mail is awaiting confirmation':
    'Das geht nur, solange die E-Mail-Adresse noch nicht bestätigt ist',
  'This method requires an client credentials authentication':
    'Dafür muss sich eine Anwendung selbst ausweisen',
  'This method requires an authenticated user': 'Dafür musst du angemeldet sein',
  'This post is not known here': 'Dieser Beitrag ist hier nicht bekannt',
  'This record is gone': 'Diesen Eintrag gibt es nicht mehr',
  'This server shows this only to people who are signed in':
    'Dieser Server zeigt das nur Leuten, die angemeldet sind',
  'This type of content is not supported': 'Diese Art von Inhalt wird nicht unterstützt',
  'Too many files are being processed': 'Es werden gerade zu viele Dateien verarbeitet',
  'Too many requests': 'Zu viele Anfragen',
  'Validation failed': 'Das ist so nicht gültig',
  'Videos of {} frames are not supported': 'Videos mit {} Bildern werden nicht unterstützt',
  'You can ask for an archive once a week': 'Ein Archiv kannst du einmal in der Woche anfordern',
  'Your change was refused by a rule of this server against spam':
    'Deine Änderung wurde von einer Regel dieses Servers gegen Spam abgelehnt',
  'Your login is currently disabled': 'Deine Anmeldung ist zurzeit gesperrt',
  'Your login is currently pending approval': 'Dein Konto wartet noch auf die Zustimmung der Leitung',
  'Your login is missing a confirmed e-mail address': 'Deine E-Mail-Adresse ist noch nicht bestätigt',
  'Your post waits until a moderator has looked at it':
    'Dein Beitrag wartet, bis ihn jemand von der Moderation angesehen hat',
  'Your post was refused by a rule of this server against spam':
    'Dein Beitrag wurde von einer Regel dieses Servers gegen Spam abgelehnt',
  'outbox.json breaks off': 'outbox.json bricht ab',
  'outbox.json is no JSON': 'outbox.json ist kein JSON',
  'outbox.json is no list of posts': 'outbox.json ist keine Liste von Beiträgen',
  'param is missing or the value is empty or invalid: {}': 'Die Angabe {} fehlt, ist leer oder ungültig',
  '{} accounts have new keys, but nothing is sent: is the server running?':
    '{} Konten haben neue Schlüssel, aber nichts wird gesendet: läuft der Server?',
  '{} cannot be read: {}': '{} kann nicht gelesen werden: {}',
  '{} characters of keywords': '{} Zeichen in Schlüsselwörtern',
  '{} exists already': '{} gibt es schon',
  '{} filtered posts': '{} gefilterte Beiträge',
  '{} filters': '{} Filter',
  '{} has not moved': '{} ist nicht umgezogen',
  '{} is larger than {} MB': '{} ist größer als {} MB',
  '{} is not a whole .tar.gz archive': '{} ist kein vollständiges Archiv der Art .tar.gz',
  '{} is not allowed': '{} ist nicht erlaubt',
  '{}fps videos are not supported': 'Videos mit {} Bildern je Sekunde werden nicht unterstützt',
  '{}x{} animations are not supported': 'Animationen mit {}x{} Bildpunkten werden nicht unterstützt',
  '{}x{} images are not supported': 'Bilder mit {}x{} Bildpunkten werden nicht unterstützt',
  '{}x{} videos are not supported': 'Videos mit {}x{} Bildpunkten werden nicht unterstützt',
}

/** Descriptions of OAuth's errors (RFC 6749). */
export const oauthSentences: Readonly<Record<string, string>> = {
  'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.':
    'Die Berechtigung ist ungültig, abgelaufen oder widerrufen, passt nicht zur Weiterleitungsadresse der Anfrage oder wurde einer anderen Anwendung erteilt.',
  'The requested scope is invalid, unknown, or malformed.':
    'Der angefragte Umfang ist ungültig, unbekannt oder fehlerhaft.',
  'Missing required parameter: {}.': 'Eine nötige Angabe fehlt: {}.',
  'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.':
    'Die Anwendung konnte sich nicht ausweisen: Sie ist unbekannt, hat es nicht versucht oder auf eine Weise, die nicht unterstützt wird.',
  'Client authentication failed due to unknown client.': 'Die Anwendung ist unbekannt.',
  'The authorization grant type is not supported by the authorization server.':
    'Diese Art der Berechtigung wird nicht unterstützt.',
  'The authorization server does not support this response type.':
    'Diese Art der Antwort wird nicht unterstützt.',
  'The client may authenticate in one way only.': 'Die Anwendung darf sich nur auf eine Weise ausweisen.',
  'The code_challenge is not one of S256.': 'Die code_challenge ist keine von S256.',
  'The code_challenge_method must be S256.': 'Die code_challenge_method muss S256 sein.',
  'The redirect URI is not one that this application registered.':
    'Die Weiterleitungsadresse ist keine, die diese Anwendung angemeldet hat.',
  'The resource owner or authorization server denied the request.':
    'Die Anfrage wurde von dir oder vom Server abgelehnt.',
  'This response mode is not supported.': 'Diese Weise der Antwort wird nicht unterstützt.',
  'You are not authorized to revoke this token': 'Du darfst dieses Token nicht widerrufen',
}
