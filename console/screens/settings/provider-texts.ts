import { texts } from '../../texts/i18n.ts'

export const providerTexts = texts({
  en: {
    ownersOnly: 'Only owners can add, change or test identity providers. Ask an owner.',
    callback: 'Callback address',
    presetsText: 'Choose your provider, or fill in the form for any other OpenID Connect provider.',
    callbackText:
      'Register Cadre with your provider and use this callback address. The provider then gives you the client ID and secret.',
    hintGoogle:
      'In the Google Cloud console, open APIs & Services, Credentials, and create an OAuth client ID of the type “Web application”.',
    hintEntra:
      'In the Microsoft Entra admin center, open App registrations and register a web application. In the issuer, replace TENANT-ID with your directory (tenant) ID. Entra does not mark e-mail addresses as verified, so Cadre trusts all of them: register the app in your own directory only.',
    hintOkta:
      'In the Okta admin console, create an app integration: OIDC, web application. In the issuer, replace YOUR-DOMAIN with your Okta domain.',
    hintKeycloak:
      'In your realm, create an OpenID Connect client with client authentication. In the issuer, replace the host and YOUR-REALM. Only verified e-mail addresses are accepted.',
    state: 'Connection status',
    confirmed: 'Confirmed {when}',
    unconfirmed: 'Not tested with these settings yet',
    requireText:
      'To require single sign-on, first confirm the connection by a test or a sign-in. An owner with no planned end of employment also needs a second factor: a passkey, or a password and an authenticator app.',
    saveFirst: 'The test uses the saved settings.',
    test: 'Test connection',
    testTitle: 'Test {name}',
    testing: 'Testing the connection…',
    leaving:
      'You are being sent to your provider. If it shows an error and does not send you back, check the callback address, the client ID and the scopes.',
    passed: 'Single sign-on works',
    passedText: 'This sign-in belongs to {name} ({email}). You can close this tab.',
    failed: 'Single sign-on does not work yet',
    again: 'Test again',
    toSettings: 'Back to settings',
    discovery: 'Read the provider’s configuration',
    authorization: 'Sign in with the provider',
    token: 'Exchange the code for tokens',
    id_token: 'Verify the ID token',
    email_match: 'Find the user by e-mail address',
    result_passed: 'Passed',
    result_failed: 'Failed',
    result_not_reached: 'Not reached',
    says: 'Details: {detail}',
    fix_discovery: 'Check the issuer. The server that runs Cadre must be able to read its configuration.',
    fix_insecure_address:
      'The provider’s configuration contains an address without https. Ask your provider to use https.',
    fix_too_large: 'The provider’s response is larger than 1 MiB, the most that Cadre accepts. Check the issuer.',
    fix_authorization: 'The provider refused the sign-in. Check that your account may use this application.',
    fix_ended: 'The test was started in another browser or has expired. Test again.',
    fix_token: 'The provider rejected the code. Check the client ID and the client secret.',
    fix_id_token:
      'The provider’s answer is invalid. In the settings of the provider, check the issuer and the client ID. Under “Scopes”, the word openid must be listed.',
    fix_no_email:
      'The sign-in provider does not tell Cadre the e-mail address of the person. Add the word email to the field “Scopes” in the settings of the provider.',
    fix_unverified:
      'The provider does not mark the e-mail address as verified. Verify it there, or turn on “Treat all e-mail addresses as verified” in the settings.',
    fix_unknown:
      'No user in Cadre has this e-mail address. Invite this person, or use another account with the provider.',
    fix_taken:
      'The user with this e-mail address is linked to another account with the provider. Unlink that account in the user’s settings first.',
    fix_not_allowed: 'This user is disabled or has left the company.',
    fix_changed: 'The settings were changed during the test. Test again.',
    fix_email_match: 'The provider does not send who you are.',
  },
  de: {
    ownersOnly: 'Nur Inhaber:innen können Identitätsanbieter hinzufügen, ändern oder testen. Wenden Sie sich an sie.',
    callback: 'Callback-Adresse',
    presetsText:
      'Wählen Sie Ihren Anbieter, oder füllen Sie das Formular für einen anderen OpenID-Connect-Anbieter aus.',
    callbackText:
      'Registrieren Sie Cadre bei Ihrem Anbieter mit dieser Callback-Adresse; dort erhalten Sie Client-ID und Client-Geheimnis.',
    hintGoogle:
      'Öffnen Sie in der Google Cloud Console „APIs & Dienste“, „Anmeldedaten“, und erstellen Sie eine OAuth-Client-ID vom Typ „Webanwendung“.',
    hintEntra:
      'Öffnen Sie im Microsoft Entra Admin Center „App-Registrierungen“ und registrieren Sie eine Webanwendung. Ersetzen Sie im Aussteller TENANT-ID durch Ihre Verzeichnis-ID (Mandant). Entra kennzeichnet E-Mail-Adressen nicht als bestätigt, daher vertraut Cadre allen: Registrieren Sie die App nur im eigenen Verzeichnis.',
    hintOkta:
      'Erstellen Sie in der Okta-Verwaltung eine App-Integration: OIDC, Webanwendung. Ersetzen Sie im Aussteller YOUR-DOMAIN durch Ihre Okta-Domain.',
    hintKeycloak:
      'Erstellen Sie in Ihrem Realm einen OpenID-Connect-Client mit Client-Authentifizierung. Ersetzen Sie im Aussteller den Host und YOUR-REALM. Nur bestätigte E-Mail-Adressen werden akzeptiert.',
    state: 'Verbindungsstatus',
    confirmed: 'Bestätigt {when}',
    unconfirmed: 'Mit diesen Einstellungen noch nicht getestet',
    requireText:
      'Um Single Sign-on zur Pflicht zu machen, bestätigen Sie zuerst die Verbindung durch einen Test oder eine Anmeldung. Außerdem braucht eine Inhaberin oder ein Inhaber ohne geplanten Austritt einen zweiten Faktor: einen Passkey oder Passwort und Authenticator-App.',
    saveFirst: 'Der Test verwendet die gespeicherten Einstellungen.',
    test: 'Verbindung testen',
    testTitle: '{name} testen',
    testing: 'Die Verbindung wird getestet …',
    leaving:
      'Sie werden zu Ihrem Anbieter weitergeleitet. Wenn dort ein Fehler erscheint und Sie nicht zurückgeleitet werden, prüfen Sie Callback-Adresse, Client-ID und Scopes.',
    passed: 'Single Sign-on funktioniert',
    passedText: 'Diese Anmeldung gehört zu {name} ({email}). Sie können diesen Tab schließen.',
    failed: 'Single Sign-on funktioniert noch nicht',
    again: 'Erneut testen',
    toSettings: 'Zurück zu den Einstellungen',
    discovery: 'Konfiguration des Anbieters lesen',
    authorization: 'Beim Anbieter anmelden',
    token: 'Code gegen Tokens tauschen',
    id_token: 'ID-Token prüfen',
    email_match: 'Benutzerkonto anhand der E-Mail-Adresse finden',
    result_passed: 'Erfolgreich',
    result_failed: 'Fehlgeschlagen',
    result_not_reached: 'Nicht erreicht',
    says: 'Details: {detail}',
    fix_discovery:
      'Prüfen Sie den Aussteller. Der Server, auf dem Cadre läuft, muss dessen Konfiguration lesen können.',
    fix_insecure_address:
      'Die Konfiguration des Anbieters enthält eine Adresse ohne https. Der Anbieter muss https verwenden.',
    fix_too_large:
      'Die Antwort des Anbieters ist größer als 1 MiB, mehr nimmt Cadre nicht an. Prüfen Sie den Aussteller.',
    fix_authorization:
      'Der Anbieter hat die Anmeldung abgelehnt. Prüfen Sie, ob Ihr Konto diese Anwendung nutzen darf.',
    fix_ended: 'Der Test wurde in einem anderen Browser begonnen oder ist abgelaufen. Testen Sie erneut.',
    fix_token: 'Der Anbieter hat den Code abgelehnt. Prüfen Sie Client-ID und Client-Geheimnis.',
    fix_id_token:
      'Die Antwort des Anbieters ist ungültig. Prüfen Sie in den Einstellungen des Anbieters Aussteller und Client-ID. Unter „Scopes“ muss das Wort openid stehen.',
    fix_no_email:
      'Der Anmeldedienst teilt Cadre die E-Mail-Adresse der Person nicht mit. Ergänzen Sie in den Einstellungen des Anbieters im Feld „Scopes“ das Wort email.',
    fix_unverified:
      'Der Anbieter kennzeichnet die E-Mail-Adresse nicht als bestätigt. Bestätigen Sie sie dort, oder schalten Sie in den Einstellungen „Alle E-Mail-Adressen als bestätigt behandeln“ ein.',
    fix_unknown:
      'Kein Benutzerkonto in Cadre hat diese E-Mail-Adresse. Laden Sie die Person ein, oder nutzen Sie beim Anbieter ein anderes Konto.',
    fix_taken:
      'Das Benutzerkonto mit dieser E-Mail-Adresse ist mit einem anderen Konto beim Anbieter verknüpft. Trennen Sie zuerst diese Verknüpfung im Benutzerkonto.',
    fix_not_allowed: 'Dieses Benutzerkonto ist gesperrt, oder die Person ist ausgeschieden.',
    fix_changed: 'Die Einstellungen wurden während des Tests geändert. Testen Sie erneut.',
    fix_email_match: 'Der Anbieter übermittelt keine Angaben zu Ihrer Person.',
  },
  uk: {
    ownersOnly:
      'Лише власники можуть додавати, змінювати й перевіряти постачальників ідентифікації. Зверніться до власника.',
    callback: 'Адреса зворотного виклику',
    presetsText: 'Виберіть свого постачальника або заповніть форму для іншого постачальника OpenID Connect.',
    callbackText:
      'Зареєструйте Cadre у свого постачальника з цією адресою зворотного виклику; він надасть ідентифікатор і секрет клієнта.',
    hintGoogle:
      'У Google Cloud Console відкрийте APIs & Services, Credentials і створіть OAuth client ID типу «Web application».',
    hintEntra:
      'У центрі адміністрування Microsoft Entra відкрийте App registrations і зареєструйте вебзастосунок. У видавці замініть TENANT-ID на ідентифікатор свого каталогу (tenant). Entra не позначає електронні адреси як перевірені, тому Cadre довіряє всім: реєструйте застосунок лише у власному каталозі.',
    hintOkta:
      'У консолі Okta створіть інтеграцію: OIDC, вебзастосунок. У видавці замініть YOUR-DOMAIN на свій домен Okta.',
    hintKeycloak:
      'У своєму realm створіть клієнт OpenID Connect з автентифікацією клієнта. У видавці замініть хост і YOUR-REALM. Приймаються лише перевірені адреси.',
    state: 'Стан з’єднання',
    confirmed: 'Підтверджено {when}',
    unconfirmed: 'З цими налаштуваннями ще не перевірено',
    requireText:
      'Щоб зробити єдиний вхід обов’язковим, спершу підтвердьте з’єднання перевіркою або входом. Також власник без запланованого звільнення має мати другий фактор: ключ доступу або пароль і застосунок-автентифікатор.',
    saveFirst: 'Тест використовує збережені налаштування.',
    test: 'Перевірити з’єднання',
    testTitle: 'Перевірка: {name}',
    testing: 'Перевірка з’єднання…',
    leaving:
      'Ви переходите до свого постачальника. Якщо він показує помилку й не повертає вас, перевірте адресу зворотного виклику, ідентифікатор клієнта та області.',
    passed: 'Єдиний вхід працює',
    passedText: 'Цей вхід належить: {name} ({email}). Цю вкладку можна закрити.',
    failed: 'Єдиний вхід ще не працює',
    again: 'Перевірити ще раз',
    toSettings: 'Назад до налаштувань',
    discovery: 'Прочитати конфігурацію постачальника',
    authorization: 'Увійти у постачальника',
    token: 'Обміняти код на токени',
    id_token: 'Перевірити ID-токен',
    email_match: 'Знайти користувача за електронною адресою',
    result_passed: 'Успішно',
    result_failed: 'Не вдалося',
    result_not_reached: 'Не виконано',
    says: 'Подробиці: {detail}',
    fix_discovery: 'Перевірте видавця. Його конфігурація має бути доступна із сервера, на якому працює Cadre.',
    fix_insecure_address:
      'Конфігурація постачальника містить адресу без https. Постачальник має використовувати https.',
    fix_too_large: 'Відповідь постачальника більша за 1 МіБ, а більшої Cadre не приймає. Перевірте видавця.',
    fix_authorization:
      'Постачальник відмовив у вході. Перевірте, чи ваш обліковий запис має доступ до цього застосунку.',
    fix_ended: 'Перевірку почато в іншому браузері або її час минув. Перевірте ще раз.',
    fix_token: 'Постачальник відхилив код. Перевірте ідентифікатор і секрет клієнта.',
    fix_id_token:
      'Відповідь постачальника недійсна. Перевірте в налаштуваннях постачальника видавця та ідентифікатор клієнта. У полі «Області доступу» має бути слово openid.',
    fix_no_email:
      'Служба входу не повідомляє Cadre електронну адресу людини. Додайте слово email у поле «Області доступу» у налаштуваннях постачальника.',
    fix_unverified:
      'Постачальник не позначає електронну адресу як перевірену. Підтвердьте її там або ввімкніть у налаштуваннях «Вважати всі електронні адреси перевіреними».',
    fix_unknown:
      'Жоден користувач Cadre не має цієї електронної адреси. Запросіть цю людину або скористайтеся іншим обліковим записом постачальника.',
    fix_taken:
      'Користувача з цією адресою пов’язано з іншим обліковим записом постачальника. Спершу від’єднайте його в налаштуваннях користувача.',
    fix_not_allowed: 'Цього користувача заблоковано, або людину звільнено.',
    fix_changed: 'Налаштування змінено під час перевірки. Перевірте ще раз.',
    fix_email_match: 'Постачальник не повідомляє, хто ви.',
  },
})
