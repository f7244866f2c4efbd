import { texts } from '../../texts/i18n.ts'

export const providerTexts = texts({
  en: {
    ownersOnly: 'Only owners can add, change or test identity providers. Ask an owner of this account.',
    callback: 'Callback address',
    presetsText: 'Choose your provider, or fill in the form for any other OpenID Connect provider.',
    callbackText: 'Register Cadre at your provider with this callback address; it gives you the client ID and secret.',
    hintGoogle:
      'In the Google Cloud console, open APIs & Services, Credentials, and create an OAuth client ID of the type “Web application”.',
    hintEntra:
      'In the Microsoft Entra admin center, open App registrations and register an application for the web. In the issuer, replace TENANT-ID with your directory (tenant) ID. Entra does not mark addresses as verified, so its addresses are trusted: use a registration for your own directory only.',
    hintOkta:
      'In the Okta admin console, create an app integration: OIDC, web application. In the issuer, replace YOUR-DOMAIN with your Okta domain.',
    hintKeycloak:
      'In your realm, create an OpenID Connect client with client authentication. In the issuer, replace the host and YOUR-REALM. Only verified e-mail addresses are accepted.',
    state: 'Connection',
    confirmed: 'Works: confirmed {when}',
    unconfirmed: 'Not confirmed with these settings yet',
    requireText:
      'Single sign-on can be required once the connection is confirmed, by a test or a sign-in, and an owner with no planned end of employment has a second factor: a passkey, or a password and an authenticator app.',
    saveFirst: 'The test uses the saved settings.',
    test: 'Test connection',
    testTitle: 'Test of {name}',
    testing: 'Testing the connection…',
    leaving:
      'You are going to your provider. If it shows an error and does not send you back, check the callback address, the client ID and the scopes.',
    passed: 'Single sign-on works',
    passedText: 'A sign-in would let in {name} ({email}). You can close this tab.',
    failed: 'Single sign-on does not work yet',
    again: 'Test again',
    toSettings: 'Back to settings',
    discovery: 'Read the provider’s configuration',
    authorization: 'Sign in at the provider',
    token: 'Exchange the code for tokens',
    id_token: 'Verify the ID token',
    email_match: 'Find the user by e-mail address',
    result_passed: 'Passed',
    result_failed: 'Failed',
    result_not_reached: 'Not reached',
    says: 'Details: {detail}',
    fix_discovery: 'Check the issuer. Its configuration must be readable from the server on which Cadre runs.',
    fix_insecure_address: 'The provider names an address without https.',
    fix_too_large: 'The provider’s answer is larger than 1 MiB.',
    fix_authorization: 'The provider has not let you in. Check that you may use this application there.',
    fix_ended: 'The test was started in another browser or has expired. Test again.',
    fix_token: 'The provider has refused the code. Check client ID and client secret.',
    fix_id_token:
      'The ID token is not as it should be. Check the issuer, the client ID, and that the scopes contain openid.',
    fix_no_email: 'The provider does not send an e-mail address. Check that the scopes contain email.',
    fix_unverified:
      'The provider does not mark the e-mail address as verified. Verify it there, or trust the provider’s addresses.',
    fix_unknown:
      'Nobody in Cadre has the e-mail address that the provider sent. Invite this person, or use another account there.',
    fix_taken: 'The user with this e-mail address is linked to another account at the provider.',
    fix_not_allowed: 'This user is disabled or has left.',
    fix_changed: 'The settings were changed during the test. Test again.',
    fix_email_match: 'The provider does not say who you are.',
  },
  de: {
    ownersOnly:
      'Nur Inhaberinnen und Inhaber können Identitätsanbieter hinzufügen, ändern oder testen. Wenden Sie sich an sie.',
    callback: 'Callback-Adresse',
    presetsText:
      'Wählen Sie Ihren Anbieter, oder füllen Sie das Formular für einen anderen OpenID-Connect-Anbieter aus.',
    callbackText:
      'Registrieren Sie Cadre bei Ihrem Anbieter mit dieser Callback-Adresse; dort erhalten Sie Client-ID und Client-Geheimnis.',
    hintGoogle:
      'Öffnen Sie in der Google Cloud Console „APIs & Dienste“, „Anmeldedaten“, und erstellen Sie eine OAuth-Client-ID vom Typ „Webanwendung“.',
    hintEntra:
      'Öffnen Sie im Microsoft Entra Admin Center „App-Registrierungen“ und registrieren Sie eine Anwendung für das Web. Ersetzen Sie im Aussteller TENANT-ID durch Ihre Verzeichnis-ID (Mandant). Entra kennzeichnet Adressen nicht als geprüft, daher wird ihnen vertraut: nur für eine Registrierung im eigenen Verzeichnis.',
    hintOkta:
      'Erstellen Sie in der Okta-Verwaltung eine App-Integration: OIDC, Webanwendung. Ersetzen Sie im Aussteller YOUR-DOMAIN durch Ihre Okta-Domain.',
    hintKeycloak:
      'Erstellen Sie in Ihrem Realm einen OpenID-Connect-Client mit Client-Authentifizierung. Ersetzen Sie im Aussteller den Host und YOUR-REALM. Nur geprüfte E-Mail-Adressen werden angenommen.',
    state: 'Verbindung',
    confirmed: 'Funktioniert: bestätigt {when}',
    unconfirmed: 'Mit diesen Einstellungen noch nicht bestätigt',
    requireText:
      'Single Sign-on kann Pflicht werden, wenn die Verbindung durch einen Test oder eine Anmeldung bestätigt ist und eine Inhaberin oder ein Inhaber ohne geplanten Austritt einen zweiten Faktor hat: einen Passkey, oder Passwort und Authenticator-App.',
    saveFirst: 'Der Test verwendet die gespeicherten Einstellungen.',
    test: 'Verbindung testen',
    testTitle: 'Test von {name}',
    testing: 'Die Verbindung wird getestet …',
    leaving:
      'Sie werden zu Ihrem Anbieter geleitet. Wenn er einen Fehler zeigt und Sie nicht zurückleitet, prüfen Sie Callback-Adresse, Client-ID und Scopes.',
    passed: 'Single Sign-on funktioniert',
    passedText: 'Eine Anmeldung würde {name} ({email}) einlassen. Sie können diesen Tab schließen.',
    failed: 'Single Sign-on funktioniert noch nicht',
    again: 'Erneut testen',
    toSettings: 'Zurück zu den Einstellungen',
    discovery: 'Konfiguration des Anbieters lesen',
    authorization: 'Beim Anbieter anmelden',
    token: 'Code gegen Tokens tauschen',
    id_token: 'ID-Token prüfen',
    email_match: 'Person anhand der E-Mail-Adresse finden',
    result_passed: 'Erfolgreich',
    result_failed: 'Fehlgeschlagen',
    result_not_reached: 'Nicht erreicht',
    says: 'Einzelheiten: {detail}',
    fix_discovery:
      'Prüfen Sie den Aussteller. Seine Konfiguration muss von dem Server aus lesbar sein, auf dem Cadre läuft.',
    fix_insecure_address: 'Der Anbieter nennt eine Adresse ohne https.',
    fix_too_large: 'Die Antwort des Anbieters ist größer als 1 MiB.',
    fix_authorization: 'Der Anbieter hat Sie nicht eingelassen. Prüfen Sie, ob Sie dort diese Anwendung nutzen dürfen.',
    fix_ended: 'Der Test wurde in einem anderen Browser begonnen oder ist abgelaufen. Testen Sie erneut.',
    fix_token: 'Der Anbieter hat den Code abgelehnt. Prüfen Sie Client-ID und Client-Geheimnis.',
    fix_id_token:
      'Das ID-Token ist nicht, wie es sein soll. Prüfen Sie Aussteller und Client-ID, und ob die Scopes openid enthalten.',
    fix_no_email: 'Der Anbieter sendet keine E-Mail-Adresse. Prüfen Sie, ob die Scopes email enthalten.',
    fix_unverified:
      'Der Anbieter kennzeichnet die E-Mail-Adresse nicht als geprüft. Lassen Sie sie dort prüfen, oder vertrauen Sie seinen Adressen.',
    fix_unknown:
      'Niemand in Cadre hat die E-Mail-Adresse, die der Anbieter gesendet hat. Laden Sie die Person ein, oder nutzen Sie dort ein anderes Konto.',
    fix_taken: 'Die Person mit dieser E-Mail-Adresse ist mit einem anderen Konto beim Anbieter verknüpft.',
    fix_not_allowed: 'Diese Person ist gesperrt oder ausgeschieden.',
    fix_changed: 'Die Einstellungen wurden während des Tests geändert. Testen Sie erneut.',
    fix_email_match: 'Der Anbieter sagt nicht, wer Sie sind.',
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
      'У центрі адміністрування Microsoft Entra відкрийте App registrations і зареєструйте вебзастосунок. У видавці замініть TENANT-ID на ідентифікатор свого каталогу (tenant). Entra не позначає адреси як перевірені, тому їм довіряють: лише для реєстрації у власному каталозі.',
    hintOkta:
      'У консолі Okta створіть інтеграцію: OIDC, вебзастосунок. У видавці замініть YOUR-DOMAIN на свій домен Okta.',
    hintKeycloak:
      'У своєму realm створіть клієнт OpenID Connect з автентифікацією клієнта. У видавці замініть хост і YOUR-REALM. Приймаються лише перевірені адреси.',
    state: 'З’єднання',
    confirmed: 'Працює: підтверджено {when}',
    unconfirmed: 'З цими налаштуваннями ще не підтверджено',
    requireText:
      'Єдиний вхід можна зробити обов’язковим, коли з’єднання підтверджено тестом або входом і власник без запланованого звільнення має другий фактор: ключ доступу або пароль і застосунок-автентифікатор.',
    saveFirst: 'Тест використовує збережені налаштування.',
    test: 'Перевірити з’єднання',
    testTitle: 'Перевірка: {name}',
    testing: 'Перевірка з’єднання…',
    leaving:
      'Ви переходите до свого постачальника. Якщо він показує помилку й не повертає вас, перевірте адресу зворотного виклику, ідентифікатор клієнта та області.',
    passed: 'Єдиний вхід працює',
    passedText: 'Вхід впустив би: {name} ({email}). Цю вкладку можна закрити.',
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
    fix_insecure_address: 'Постачальник називає адресу без https.',
    fix_too_large: 'Відповідь постачальника більша за 1 МіБ.',
    fix_authorization: 'Постачальник вас не впустив. Перевірте, чи можете ви там користуватися цим застосунком.',
    fix_ended: 'Перевірку почато в іншому браузері або її час минув. Перевірте ще раз.',
    fix_token: 'Постачальник відхилив код. Перевірте ідентифікатор і секрет клієнта.',
    fix_id_token:
      'ID-токен не такий, як має бути. Перевірте видавця, ідентифікатор клієнта і чи області містять openid.',
    fix_no_email: 'Постачальник не надсилає електронної адреси. Перевірте, чи області містять email.',
    fix_unverified:
      'Постачальник не позначає адресу як перевірену. Підтвердьте її там або довіряйте адресам постачальника.',
    fix_unknown:
      'Ніхто в Cadre не має адреси, яку надіслав постачальник. Запросіть цю людину або скористайтеся там іншим обліковим записом.',
    fix_taken: 'Користувача з цією адресою пов’язано з іншим обліковим записом у постачальника.',
    fix_not_allowed: 'Цього користувача вимкнено, або людина вже не працює.',
    fix_changed: 'Налаштування змінено під час перевірки. Перевірте ще раз.',
    fix_email_match: 'Постачальник не каже, хто ви.',
  },
})
