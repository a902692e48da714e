; The program that installs Neardup on Windows, for one user or for all, made by .ci/packing.py.
; Without questions: neardup-VERSION-windows-amd64.exe /VERYSILENT /ALLUSERS (or /CURRENTUSER)
; Written by the documentation of Inno Setup 6.3, and untried.

[Setup]
AppId=Neardup
AppName=Neardup
AppVersion={#Version}
AppPublisher=Neardup maintainers
DefaultDirName={autopf}\Neardup
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog commandline
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
ChangesAssociations=yes
LicenseFile={#Folder}\LICENSE
SetupIconFile={#Folder}\neardup.ico
UninstallDisplayIcon={app}\neardup.ico
OutputDir={#Output}
OutputBaseFilename={#Name}
Compression=lzma2/max
SolidCompression=yes
WizardStyle=modern

[Files]
Source: "{#Folder}\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs

[Icons]
Name: "{autoprograms}\Neardup"; Filename: "{app}\python\pythonw.exe"; Parameters: "-I -B -m neardup_gui"; WorkingDir: "{%USERPROFILE}"; IconFilename: "{app}\neardup.ico"

[Registry]
Root: HKA; Subkey: "Software\Classes\.neardup"; ValueType: string; ValueData: "Neardup.Review"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\Neardup.Review"; ValueType: string; ValueData: "Neardup review"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\Neardup.Review\DefaultIcon"; ValueType: string; ValueData: "{app}\neardup.ico"
Root: HKA; Subkey: "Software\Classes\Neardup.Review\shell\open\command"; ValueType: string; ValueData: """{app}\python\pythonw.exe"" -I -B -m neardup_gui ""%1"""

[Run]
; For this computer's processor, so that the first scan compiles nothing.
Filename: "{app}\python\python.exe"; Parameters: "-I -B -m neardup_gui prepare"; Flags: runhidden; StatusMsg: "Compiling the engine for this computer..."

[UninstallDelete]
; What was compiled; reviews and choices are in the folders of each user, and stay.
Type: filesandordirs; Name: "{app}\python"
