/**
 * What passwords are made of that are tried first: words, names, rows of keys. A password that is one of them, or
 * several, with nothing around but digits and signs, is common, however letters are replaced in it.
 */
export const COMMON = new Set(
  `password passwort passwords passwd pass parola haslo senha contrasena motdepasse geheim secret secreto admin
administrator root user username benutzer login logon signin welcome willkommen hello hallo hola bonjour guest gast test
testing tester temp temporary default change changeme changeit letmein letme iloveyou loveyou iloveu love liebe lovely
forever family familie friend friends freunde mother father mutter vater princess prinzessin prince queen king angel engel
baby sunshine sunflower sonnenschein flower blume butterfly rainbow summer sommer winter spring autumn herbst fruhling
monday montag tuesday wednesday thursday friday freitag saturday sunday sonntag january januar february march april may
june july august september october oktober november december dezember christmas weihnachten birthday geburtstag holiday
company firma office buero work arbeit business employee manager boss chef human resources hr payroll personal server
computer internet google facebook apple microsoft windows linux android samsung iphone amazon twitter instagram linkedin
football fussball soccer baseball basketball hockey tennis golf soccer arsenal liverpool chelsea barcelona realmadrid
bayern schalke dortmund juventus milan superman batman spiderman starwars pokemon naruto dragon drache monkey affe tiger
lion bear baer wolf eagle shadow master killer ninja matrix phoenix thunder thomas michael michelle jennifer jessica
jordan daniel andrew charlie robert william george matthew joshua ashley amanda nicole hannah samantha stefan andreas
martin peter maria anna julia sophie laura alexander maximilian oleksandr olena natalia ukraine ukraina kyiv kiev
germany deutschland berlin hamburg munich muenchen england london america newyork paris france austria wien schweiz
chocolate schokolade cookie cheese pizza banana orange cherry pepper ginger whatever nothing nichts trustno trustnoone
qwertz qwert qwerty qwertyu qwertyui qwertyuio qwertyuiop qwertzuiop asdf asdfg asdfgh asdfghj asdfghjk asdfghjkl yxcvbnm
zxcv zxcvb zxcvbn zxcvbnm qazwsx qazwsxedc qaz wsx edc wasd azerty azertyuiop poiuytrewq lkjhgfdsa mnbvcxz abc abcd abcde
abcdef abcdefg abcdefgh abcdefghi abcdefghij abcdefghijk xyz aaa access accounting finance money geld dollar euro bitcoin
mustang ferrari porsche mercedes corvette harley jesus christ god gott heaven blessed security sicherheit database cadre
console correct horse battery staple pa ss word
пароль парол паролі привіт любов кохання україна україні київ слава героям мама тато сонце сонечко весна літо осінь зима
йцукен йцукенг фівапролдж фівап ячсмить секрет адмін адміністратор користувач увійти вхід компанія робота the my is a i you your me we our no one two three new old our and for`
    .split(/\s+/)
    .map((word) => word.normalize('NFD').replace(/\p{M}/gu, '')),
)

export const LONGEST_WORD = Math.max(...[...COMMON].map(({ length }) => length))
